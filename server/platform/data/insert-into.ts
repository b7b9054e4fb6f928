/**
 * SQL that inserts a row of a tenant table, with a parameter of the same name for each column: `created_by` is `$createdBy`. A column
 * may state the type of its parameter: `filters::jsonb`. For the inserts that do nothing else; others are written out.
 */
export function insertInto(table: string, columns: string): string {
  const written = columns.split(',').map(each => {
    const [, column, type = ''] = /^\s*(\w+)(::[\w[\]]+)?\s*$/.exec(each) ?? []
    if (column === undefined) throw new Error(`Not a column: ${each}`)
    return { column, value: `$${inCamelCase(column)}${type}` }
  })
  const names = ['organization_id', ...written.map(({ column }) => column)]
  const values = ['$organization', ...written.map(({ value }) => value)]
  return `insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`
}

function inCamelCase(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
