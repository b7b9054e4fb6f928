/**
 * SQL for a time plus an interval; both are SQL expressions. PostgreSQL's sum of a time with a zone and an interval may depend on the
 * time zone of the session, so Citus refuses it of a column, and in `case` and `do update set`. For intervals of at most hours.
 */
export function later(time: string, interval: string): string {
  return `((${time} at time zone 'utc' + ${interval}) at time zone 'utc')`
}

/** SQL for the time one millisecond after that of a column. */
export function nextMillisecond(column: string): string {
  return later(column, `interval '1 millisecond'`)
}

/** SQL for the seconds since 1970 of a time. PostgreSQL's own `extract` of a time with a zone is refused by Citus in the same places. */
export function secondsSince1970(time: string): string {
  return `extract(epoch from ${time} at time zone 'utc')`
}
