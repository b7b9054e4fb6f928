import type pg from 'pg'

/**
 * Fills tables without their indexes and foreign keys, which are created afterwards: row by row takes
 * minutes.
 */
export async function inBulk(sql: pg.Pool, tables: string[], fill: () => Promise<void>): Promise<void> {
  const { rows } = await sql.query(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as on
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
     from pg_index where indrelid = any($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { off } of rows) await sql.query(off)
  await fill()
  for (const { on } of rows) await sql.query(on)
}
