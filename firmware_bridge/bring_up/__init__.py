"""The bring-up of a newly built ring: measures it step by step and records the results."""
