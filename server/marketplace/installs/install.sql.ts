import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Page } from '#platform/http/pagination.ts'
import { type Reader, readable } from '#server/studio/index.ts'
import type { SignedStatement } from '../provenance/statement.ts'
import { popularity } from '../ranking.ts'

export type NewInstall = {
  id: string
  personId: string
  entryId: string
  releaseId: string
  entryName: string
  assetId: string
  version: string
  filesCopied: number
  filesFailed: number
  customName: string | null
}

type Values = {
  id: string
  personId: string
  entryId: string
  releaseId: string
  entryName: string
  assetId: string
  version: string
  filesCopied: number
  filesFailed: number
  customName: string | null
  statement: string
  signature: string
  keyId: string
  publicKey: string
}
const insertRow = sql<never, Values>(`
  insert into market_install (organization_id, id, person_id, entry_id, release_id, entry_name, installed_asset_id,
    installed_version, files_copied, files_failed, custom_name, statement, signature, key_id, public_key)
  values ($organization, $id, $personId, $entryId, $releaseId, $entryName, $assetId, $version, $filesCopied,
    $filesFailed, $customName, $statement, $signature, $keyId, $publicKey)`)

function columnsOfStatement({ statement, signature, key_id, public_key }: SignedStatement) {
  return { statement, signature, keyId: key_id, publicKey: public_key }
}

/** Records an installed copy. */
export async function insertInstall(
  tx: Tx,
  install: NewInstall,
  signedStatement: SignedStatement,
): Promise<void> {
  await tx.run(insertRow, { ...install, ...columnsOfStatement(signedStatement) })
}

/**
 * `fresh` is the first install of this person; `back` is an install after they left the recent count. Parallel installs wait
 * for the row of the first. The row of the listing comes last: other installs wait for it, and after a withdrawal there is
 * none.
 */
const countRow = sql<{ install_count: number }, { entryId: string; personId: string }>(`
  with fresh as (
    insert into market_installer (organization_id, entry_id, person_id) values ($organization, $entryId, $personId)
    on conflict (organization_id, entry_id, person_id) do nothing returning entry_id),
  back as (
    update market_installer b set is_recent = true, last_at = (select clock_timestamp())
    where b.organization_id = $organization and b.entry_id = $entryId and b.person_id = $personId
      and not b.is_recent returning b.entry_id),
  again as (
    update market_installer g set last_at = (select clock_timestamp())
    where g.organization_id = $organization and g.entry_id = $entryId and g.person_id = $personId and g.is_recent),
  n as (
    select (select count(*) from fresh)::integer as new,
      ((select count(*) from fresh) + (select count(*) from back))::integer as recent)
  update market_listing l set install_count = l.install_count + n.new,
    recent_installers = l.recent_installers + n.recent,
    popularity = case when n.recent = 0 then l.popularity
      else ${popularity('(l.recent_installers + n.recent)', 'l.approved_at')} end
  from n where l.entry_id = $entryId and l.is_listed
  returning l.install_count`)

/** Counts a person as an installer of an entry, once. Undefined if the entry is no longer listed. */
export function countInstaller(
  tx: Tx,
  entryId: string,
  personId: string,
): Promise<{ install_count: number } | undefined> {
  return tx.first(countRow, { entryId, personId })
}

export type InstallRow = {
  id: string
  entry_id: string
  entry_name: string
  installed_asset_id: string | null
  installed_version: string
  files_copied: number
  files_failed: number
  custom_name: string | null
  person_id: string
  person_name: string
  created_at: string
  update_available: boolean
}

// id and name of a copy are only for people who may read it
const columns = `i.id, i.entry_id, i.entry_name, a.id as installed_asset_id, i.installed_version, i.files_copied,
  i.files_failed, case when i.person_id = $personId or a.id is not null then i.custom_name end as custom_name, i.person_id,
  m.name as person_name, i.created_at,
  l.is_listed and l.release_id <> i.release_id and a.id is not null as update_available`
const joins = `join membership m on m.organization_id = $organization and m.person_id = i.person_id
  join market_listing l on l.entry_id = i.entry_id
  left join asset a on a.organization_id = $organization and a.id = i.installed_asset_id and a.listed
    and ${readable}`
/** One page of the selected installs, newest first, with the total. */
const page = (condition: string, limit: string, offset: string) => `
  select t.total, p.*
  from (select count(*) as total from market_install n
    where n.organization_id = $organization and ${condition.replaceAll('?', 'n')}) t
  left join (
    select ${columns} from (
      select * from market_install x where x.organization_id = $organization and ${condition.replaceAll('?', 'x')}
      order by x.created_at desc, x.id desc limit ${limit} offset ${offset}) i ${joins}) p on true
  order by p.created_at desc, p.id desc`

/** A page without rows has one row with only the total. */
type Paged<Row> = { total: number } & (Row | { id: null })

// index market_install_person
const selectOwn = sql<Paged<InstallRow>, Reader & { limit: number; offset: number }>(
  page('?.person_id = $personId', '$limit', '$offset'),
)
/** The installs of the reader, newest first. */
export function listOwnInstalls(db: Db, reader: Reader, { limit, offset }: Page) {
  return db.rows(selectOwn, { ...reader, limit, offset })
}

// index market_install_entry
const selectOfEntry = sql<Paged<InstallRow>, Reader & { entryId: string; limit: number; offset: number }>(
  page('?.entry_id = $entryId', '$limit', '$offset'),
)
/** The installs of an entry inside the organization, newest first. */
export function listInstallsOf(db: Db, reader: Reader, entryId: string, { limit, offset }: Page) {
  return db.rows(selectOfEntry, { ...reader, entryId, limit, offset })
}

const selectOne = sql<InstallRow & SignedStatement, Reader & { id: string }>(`
  select ${columns}, i.statement, i.signature, i.key_id, i.public_key from market_install i ${joins}
  where i.organization_id = $organization and i.id = $id and i.person_id = $personId`)
/** An install of the reader. */
export function ownInstall(db: Db, reader: Reader, id: string) {
  return db.first(selectOne, { ...reader, id })
}

/** An install as an update needs it. */
export type LockedInstallRow = {
  id: string
  entry_id: string
  release_id: string
  installed_asset_id: string
  installed_version: string
  custom_name: string | null
}
const lockRow = sql<LockedInstallRow, { id: string; personId: string }>(`
  select i.id, i.entry_id, i.release_id, i.installed_asset_id, i.installed_version, i.custom_name
  from market_install i where i.organization_id = $organization and i.id = $id and i.person_id = $personId
    for no key update`)
/** Locks an install of the person until the transaction ends. */
export function lockOwnInstall(tx: Tx, id: string, personId: string): Promise<LockedInstallRow | undefined> {
  return tx.first(lockRow, { id, personId })
}

const moveRow = sql<
  never,
  {
    id: string
    releaseId: string
    version: string
    filesCopied: number
    filesFailed: number
    statement: string
    signature: string
    keyId: string
    publicKey: string
  }
>(`
  update market_install i set release_id = $releaseId, installed_version = $version,
    files_copied = $filesCopied, files_failed = $filesFailed,
    statement = $statement, signature = $signature, key_id = $keyId, public_key = $publicKey,
      updated_at = (select clock_timestamp())
  where i.organization_id = $organization and i.id = $id`)

/** Sets the release of an install. */
export async function setInstalledRelease(
  tx: Tx,
  id: string,
  to: Pick<NewInstall, 'releaseId' | 'version' | 'filesCopied' | 'filesFailed'>,
  signedStatement: SignedStatement,
): Promise<void> {
  await tx.run(moveRow, { ...to, id, ...columnsOfStatement(signedStatement) })
}
