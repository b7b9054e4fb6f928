import type { areas, platformTables } from '../../tools/areas.ts'

/** A table of Patio. */
export type Table = (typeof areas)[keyof typeof areas]['tables'][number] | (typeof platformTables)[number]

/** For tables, the values of columns that a test does not care about, made anew for each row. */
export type RowDefaults = Partial<Record<Table, () => Readonly<Record<string, unknown>>>>
