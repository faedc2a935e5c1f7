"""After a fix: which faults of one capture are gone, still there, or were not exercised in a later one."""
