import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { ReleaseFile } from '../release-file.ts'
import type { EntryDetailRow } from './entry.json.ts'

/** Joins the newest existing copy `i` of an entry that the caller installed. */
export function ownInstall(entryId: string): string {
  return `left join lateral (
    select i.id, i.installed_version, i.release_id from market_install i
    where i.organization_id = $organization and i.person_id = $personId and i.entry_id = ${entryId}
      and exists (select from asset a
        where a.organization_id = $organization and a.id = i.installed_asset_id and a.listed)
    order by i.created_at desc, i.id desc limit 1) i on true`
}

/** The published name of an organization; its own members see its internal name if it has none. */
export const publisherName = `coalesce(g.publisher_name, case when g.id = $organization then g.name end)`

// the release is the listed one, or, for its submitter and the administrators of its organization, the last one
const shownRelease = `(select $id::text as id) x
  left join market_entry e on e.organization_id = $organization and e.id = x.id
    and (e.submitted_by = $personId or $isAdministrator::boolean)
  left join market_listing k on k.entry_id = x.id
  join market_release r on r.id = case when k.is_listed then k.release_id else e.last_release_id end
    and (k.is_listed or r.publisher_id = $organization)`
const selectDetail = sql<EntryDetailRow, { personId: string; isAdministrator: boolean; id: string }>(`
  select x.id, r.name, r.description, r.type, coalesce(e.category, k.category) as category,
    coalesce(e.tags, k.tags) as tags, coalesce(e.pricing, k.pricing) as pricing,
    coalesce(e.status, 'APPROVED') as status, r.version, r.icon_name, r.color,
    case when k.featured_until > now() then k.featured_until end as featured_until,
    coalesce(k.rating_sum, 0) as rating_sum, coalesce(k.rating_count, 0) as rating_count,
    coalesce(k.install_count, 0) as install_count,
    ${publisherName} as publisher_name, g.publisher_verified, coalesce(e.submitted_by = $personId, false) as is_own,
    i.id as install_id, i.installed_version,
    coalesce(k.is_listed and i.release_id <> k.release_id, false) as update_available,
    r.submitted_at, case when k.is_listed then k.approved_at end as approved_at,
    coalesce(e.updated_at, k.updated_at) as updated_at,
    r.body_markdown, r.frontmatter, r.changelog, r.digest,
    coalesce((select json_agg(json_build_object('path', f.path, 'size', f.size, 'contentType', f.content_type)
      order by f.path) from market_release_file f where f.release_id = r.id), '[]') as files,
    e.asset_id, p.version as last_version, p.status as last_status, p.submitted_at as last_submitted_at,
    p.reason as last_reason, p.findings as last_findings
  from ${shownRelease}
  join organization g on g.id = r.publisher_id
  left join market_release p on p.publisher_id = $organization and p.id = e.last_release_id
  ${ownInstall('x.id')}`)

/** An entry with its content; undefined if the caller may not see it. */
export function detailOf(
  db: Db,
  personId: string,
  isAdministrator: boolean,
  id: string,
): Promise<EntryDetailRow | undefined> {
  return db.first(selectDetail, { personId, isAdministrator, id })
}

const selectFile = sql<
  ReleaseFile,
  { personId: string; isAdministrator: boolean; id: string; path: string }
>(`
  select f.path, f.size, f.sha256 from ${shownRelease}
  left join market_release_file f on f.release_id = r.id and f.path = $path`)

/** A file of the release that the caller sees; undefined if they may not see the entry. */
export function entryFile(
  db: Db,
  personId: string,
  isAdministrator: boolean,
  id: string,
  path: string,
): Promise<ReleaseFile | undefined> {
  return db.first(selectFile, { personId, isAdministrator, id, path })
}
