import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { SignedStatement } from './statement.ts'

type Values = { statement: string; signature: string; keyId: string; publicKey: string }
const insertRow = sql<never, Values & { versionId: string }>(`
  insert into market_origin (organization_id, asset_id, ordinal, statement, signature, key_id, public_key)
  select v.organization_id, v.asset_id, v.ordinal, $statement, $signature, $keyId, $publicKey
  from asset_version v where v.organization_id = $organization and v.id = $versionId`)

/** Records the statement for a version of a copy and the versions after it. */
export async function insertOrigin(
  tx: Tx,
  versionId: string,
  signedStatement: SignedStatement,
): Promise<void> {
  const { statement, signature, key_id, public_key } = signedStatement
  await tx.run(insertRow, { versionId, statement, signature, keyId: key_id, publicKey: public_key })
}

// by primary key: the last row up to the version
const selectOfVersion = sql<SignedStatement, { versionId: string }>(`
  select o.statement, o.signature, o.key_id, o.public_key
  from asset_version v join market_origin o on o.organization_id = $organization and o.asset_id = v.asset_id
    and o.ordinal <= v.ordinal
  where v.organization_id = $organization and v.id = $versionId order by o.ordinal desc limit 1`)

/** The provenance statement of a version; undefined if it was not installed. */
export function originOf(db: Db, versionId: string): Promise<SignedStatement | undefined> {
  return db.first(selectOfVersion, { versionId })
}
