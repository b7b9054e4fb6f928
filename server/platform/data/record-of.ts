/**
 * SQL for `from`: the object that a parameter has as JSON, as the row `r`. `columns` are names with their types. The function gets the
 * parameter through a row, because Citus computes a function of parameters alone before it plans, where records have no columns.
 */
export function recordOf(parameter: string, columns: string): string {
  return `(select ${parameter}::jsonb as object) given cross join lateral jsonb_to_record(given.object) as r(${columns})`
}
