"""Functions that run at a time: they know no scheduler. `job_runs` decides who works when several could."""
