"""Other methods to recognise colours, compared with ours on the same readings; none is used at a table."""
