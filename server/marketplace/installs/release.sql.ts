import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { StatedRelease } from '../provenance/statement.ts'
import type { CopiedFile } from './merge/merge-files.ts'

/** A file of a release. `isThere` is false if its stored object is lost. */
type ReleaseFile = CopiedFile & { isThere: boolean }

/** The content of a release for a copy. */
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

/** A listed release with its provenance, and the recipients of install events. */
export type ListedRelease = ReleaseContent &
  StatedRelease & { publisher_id: string; publisher_person_id: string; is_ours: boolean }

// includes the files in one statement, because another release may be listed at any time
const content = `r.id, r.type, r.version, r.name, r.description, r.body_markdown, r.frontmatter, r.frontmatter_text,
  r.icon_name, r.color, r.asset_tags, r.changelog,
  (select coalesce(json_agg(json_build_object('path', f.path, 'contentType', f.content_type, 'size', f.size,
      'sha256', f.sha256, 'isThere', exists (select from file_object j where j.sha256 = f.sha256))
        order by f.path), '[]')
    from market_release_file f where f.release_id = r.id) as files`
const listed = `${content}, l.entry_id, o.publisher_name, o.publisher_verified, r.digest, r.submitted_at,
  coalesce(r.decided_at, l.approved_at) as approved_at, l.publisher_id, l.publisher_person_id,
  l.publisher_id = $organization as is_ours`
const release = `join market_release r on r.id = l.release_id join organization o on o.id = l.publisher_id`

// everyone may read a listed release
const selectListed = sql<ListedRelease, { entryId: string }>(
  `select ${listed} from market_listing l ${release} where l.entry_id = $entryId and l.is_listed`,
)

/** The listed release of an entry; undefined if there is none. */
export function listedRelease(db: Db, entryId: string): Promise<ListedRelease | undefined> {
  return db.first(selectListed, { entryId })
}

const selectNewest = sql<ListedRelease, { installId: string; personId: string }>(`
  select ${listed} from market_install i
  join market_listing l on l.entry_id = i.entry_id and l.is_listed ${release}
  where i.organization_id = $organization and i.id = $installId and i.person_id = $personId`)

/** The listed release for an install of the person; undefined if the entry is no longer listed. */
export function newestRelease(
  db: Db,
  installId: string,
  personId: string,
): Promise<ListedRelease | undefined> {
  return db.first(selectNewest, { installId, personId })
}

// the owner of a copy may read its release, even if it is not listed
const selectBase = sql<ReleaseContent, { installId: string; personId: string }>(`
  select ${content} from market_install i join market_release r on r.id = i.release_id
  where i.organization_id = $organization and i.id = $installId and i.person_id = $personId`)

/** The installed release of an install of the person. */
export function baseRelease(
  db: Db,
  installId: string,
  personId: string,
): Promise<ReleaseContent | undefined> {
  return db.first(selectBase, { installId, personId })
}
