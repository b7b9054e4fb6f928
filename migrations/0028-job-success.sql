-- the last success of each job, from which the age of a backup is known
alter table job_run add column succeeded_at timestamptz(3);
