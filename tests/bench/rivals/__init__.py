"""Other ways to tell colours, to be compared with ours on the same readings; none of them is used at a table."""
