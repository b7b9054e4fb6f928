/**
 * SQL for the time one millisecond after that of a column. The sum of a time with a zone and an interval may depend on the time zone
 * of the session, and Citus refuses it of a column in what a statement writes.
 */
export function nextMillisecond(column: string): string {
  return `((${column} at time zone 'utc' + interval '1 millisecond') at time zone 'utc')`
}
