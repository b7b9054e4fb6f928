import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import type { StatedRelease } from '../provenance/statement.ts'
import type { CopiedFile } from './merge/merge-files.ts'

/** A file of a release. Without an object, its bytes are lost and it cannot be copied. */
type ReleaseFile = CopiedFile & { isThere: boolean }

/** What a copy of a release is made of. */
export type ReleaseContent = {
  id: string
  type: StatedRelease['type']
  version: string
  name: string
  description: string
  body_markdown: string
  frontmatter: Record<string, unknown>
  frontmatter_text: string | null
  icon_name: string | null
  color: string | null
  asset_tags: string[]
  changelog: string | null
  files: ReleaseFile[]
}

/** A listed release, with what is said about it and who is told of its installs. */
export type ListedRelease = ReleaseContent &
  StatedRelease & { publisher_id: string; publisher_person_id: string; is_ours: boolean }

// with its files in one statement: another release may be listed at any moment
const content = `r.id, r.type, r.version, r.name, r.description, r.body_markdown, r.frontmatter, r.frontmatter_text,
  r.icon_name, r.color, r.asset_tags, r.changelog,
  (select coalesce(json_agg(json_build_object('path', f.path, 'contentType', f.content_type, 'size', f.size,
      'sha256', f.sha256, 'isThere', exists (select from file_object j where j.sha256 = f.sha256)) order by f.path), '[]')
    from market_release_file f where f.release_id = r.id) as files`
const listed = `${content}, l.entry_id, o.publisher_name, o.publisher_verified, r.digest, r.submitted_at,
  coalesce(r.decided_at, l.approved_at) as approved_at, l.publisher_id, l.publisher_person_id,
  l.publisher_id = $1 as is_ours`
const release = `join market_release r on r.id = l.release_id join organization o on o.id = l.publisher_id`

// everybody may read the release that is listed
const selectListed = sql<ListedRelease, [entryId: string]>(
  `select ${listed} from market_listing l ${release} where l.entry_id = $2 and l.is_listed`,
)

/** The release of an entry that is listed now; undefined when none is. */
export function listedRelease(db: Db, entryId: string): Promise<ListedRelease | undefined> {
  return db.first(selectListed, entryId)
}

const selectNewest = sql<ListedRelease, [installId: string, personId: string]>(`
  select ${listed} from market_install i
  join market_listing l on l.entry_id = i.entry_id and l.is_listed ${release}
  where i.organization_id = $1 and i.id = $2 and i.person_id = $3`)

/** The listed release of the entry that an own install is of; undefined when it is not listed any more. */
export function newestRelease(
  db: Db,
  installId: string,
  personId: string,
): Promise<ListedRelease | undefined> {
  return db.first(selectNewest, installId, personId)
}

// who has a copy may read what it was made from, listed or not
const selectBase = sql<ReleaseContent, [installId: string, personId: string]>(`
  select ${content} from market_install i join market_release r on r.id = i.release_id
  where i.organization_id = $1 and i.id = $2 and i.person_id = $3`)

/** The release that an own install holds. */
export function baseRelease(
  db: Db,
  installId: string,
  personId: string,
): Promise<ReleaseContent | undefined> {
  return db.first(selectBase, installId, personId)
}
