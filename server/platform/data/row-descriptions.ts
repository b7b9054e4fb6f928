import type pg from 'pg'

/** How the rows of a statement become objects: `pg` derives it from the description that PostgreSQL sends. */
export type RowShape = {
  readonly fields: readonly pg.FieldDef[]
  readonly _parsers: readonly ((text: string) => unknown)[] | undefined
  readonly _prebuiltEmptyResultObject: object | null
}

/**
 * The descriptions of the statements that a connection has prepared. PostgreSQL keeps to the first one, and refuses the statement
 * when the result would have other columns, so nobody needs to ask again. Connections share equal descriptions.
 */
export class RowDescriptions {
  readonly #ofConnections = new WeakMap<object, Map<string, RowShape>>()
  readonly #ofStatements = new Map<string, RowShape[]>()

  /** The description of a statement that the connection has; undefined if it must ask. */
  of(connection: object, name: string): RowShape | undefined {
    return this.#ofConnections.get(connection)?.get(name)
  }

  remember(connection: object, name: string, shape: RowShape): void {
    const ofConnection = this.#ofConnections.get(connection) ?? new Map<string, RowShape>()
    this.#ofConnections.set(connection, ofConnection.set(name, this.#shared(name, shape)))
  }

  /** Migrations can change the columns of a statement, so it may have several descriptions. */
  #shared(name: string, shape: RowShape): RowShape {
    const known = this.#ofStatements.get(name) ?? []
    const equal = known.find(one => hasSameFields(one, shape))
    if (!equal) this.#ofStatements.set(name, [...known, shape])
    return equal ?? shape
  }
}

function hasSameFields(a: RowShape, b: RowShape): boolean {
  return (
    a.fields.length === b.fields.length &&
    a.fields.every((field, at) => {
      const other = b.fields[at]
      return field.name === other?.name && field.dataTypeID === other.dataTypeID
    })
  )
}
