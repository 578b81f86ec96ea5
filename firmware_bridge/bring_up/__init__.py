"""The bring-up of a newly built ring: a person measures it step by step, and the results are recorded."""
