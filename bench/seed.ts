import type { AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Database } from '#platform/data/database.ts'
import { fold } from '#platform/fold.ts'
import { newId } from '#platform/ids.ts'
import { indexedText } from '#platform/search-words.ts'
import {
  type AssetBucketFields,
  contentHash,
  departmentSetId,
  numberedSlug,
  slugFrom,
} from '#server/studio/assets/asset.rules.ts'
import {
  addToCounters,
  type CounterRow,
  counterRows,
} from '#server/studio/assets/catalogue/counters/asset-counters.sql.ts'
import {
  marksOf,
  partitionOf,
  segmentLength,
  wordParts,
} from '#server/studio/assets/catalogue/indexing/asset-index.terms.ts'
import { precedenceOf } from '#server/studio/versions/version.rules.ts'
import { inTurn, itemAt } from '#tests/support/elements.ts'
import { pick as pickFrom, randomFrom } from '#tests/support/random.ts'

/** A catalogue as a company has it after many years. */
export type SeededCatalogue = { departmentIds: string[]; workspaceIds: string[]; assetIds: string[] }

const departments = 50
const peoplePerWorkspace = 10
const batchSize = 4_000

type Seeded = AssetBucketFields & {
  id: string
  versionId: string
  slug: string
  name: string
  description: string
  body: string
  tags: string[]
  hash: string
  uses: number
  up: number
  down: number
  age: number
  segment: number
}

/**
 * Fills an organization with assets in a few large statements: 60 % for the organization, 20 % for one of 50
 * departments, 10 % for workspaces of ten people, 10 % private, including everything that lists, search and
 * counts store. The same arguments create the same catalogue, apart from ids.
 */
export async function seedAssets(
  database: Database,
  organizationId: string,
  people: readonly string[],
  count: number,
): Promise<SeededCatalogue> {
  const units = await seedUnits(database, organizationId, people)
  const random = randomFrom(count)
  const slugs = new Map<string, number>()
  const counters = new Map<string, CounterRow>()
  const words = new Map<string, string[]>()
  const assetIds: string[] = []
  const placed = await countAdditions(database, organizationId)
  // creating this index at the end is much faster than row by row
  const indexApart = count >= 10_000
  if (indexApart) await database.pool.query('drop index asset_search_terms')
  const writing: Promise<unknown>[] = []
  for (let start = 0; start < count; start += batchSize) {
    const batch: Seeded[] = []
    for (let at = start; at < Math.min(count, start + batchSize); at++) {
      const asset = invent(random, people, units.departmentIds, slugs, (count - at) / count, placed + at)
      batch.push(asset)
      assetIds.push(asset.id)
      for (const row of counterRows(asset.id, undefined, asset)) add(counters, row)
      for (const [word, parts] of wordParts([asset.name, ...asset.tags, asset.description]))
        words.set(word, parts)
    }
    writing.push(writeBatch(database, organizationId, batch))
    if (writing.length === 2) await Promise.all(writing.splice(0))
  }
  await Promise.all(writing)
  if (indexApart) await buildIndex(database)
  await writeCounters(database, organizationId, [...counters.values()])
  await writeWords(database, organizationId, words)
  return { ...units, assetIds }
}

async function buildIndex(database: Database): Promise<void> {
  await database.pool.query(`
    begin; set local maintenance_work_mem = '512MB'; set local statement_timeout = '30min';
    create index asset_search_terms on asset_search using gin (terms) with (fastupdate = off); commit`)
}

async function countAdditions(database: Database, organizationId: string): Promise<number> {
  const { rows } = await database.pool.query(
    `select coalesce(sum(n), 0)::integer as n from asset_bucket_count t, unnest(t.counts) n
     where t.organization_id = $1 and t.visibility = '+'`,
    [organizationId],
  )
  return rows[0].n
}

async function seedUnits(database: Database, organizationId: string, people: readonly string[]) {
  const { pool } = database
  const departmentIds = Array.from({ length: departments }, newId)
  const workspaceIds = Array.from({ length: Math.ceil(people.length / peoplePerWorkspace) }, newId)
  const kinds = [...departmentIds.map(() => 'DEPARTMENT'), ...workspaceIds.map(() => 'WORKSPACE')]
  const ids = [...departmentIds, ...workspaceIds]
  await pool.query(
    `insert into unit (organization_id, id, kind, name)
     select $1, u.id, u.kind, u.kind || ' ' || u.id from unnest($2::text[], $3::text[]) u (id, kind)`,
    [organizationId, ids, kinds],
  )
  const members = people.flatMap((person, at) => [
    { person, unit: inTurn(departmentIds, at), kind: 'DEPARTMENT' },
    { person, unit: itemAt(workspaceIds, Math.floor(at / peoplePerWorkspace)), kind: 'WORKSPACE' },
  ])
  await pool.query(
    `insert into unit_member (organization_id, unit_id, person_id, kind)
     select $1, u.* from unnest($2::text[], $3::text[], $4::text[]) u`,
    [organizationId, members.map(m => m.unit), members.map(m => m.person), members.map(m => m.kind)],
  )
  await pool.query(
    'insert into department_set (organization_id, id, department_id) select $1, u.* from unnest($2::text[], $3::text[]) u',
    [organizationId, departmentIds.map(id => departmentSetId([id])), departmentIds],
  )
  return { departmentIds, workspaceIds }
}

const types: AssetType[] = ['PROMPT', 'PROMPT', 'SKILL', 'SKILL', 'AGENT', 'COMMAND', 'PLUGIN']
export const verbs =
  'Analizar Resumir Redactar Revisar Clasificar Traducir Planificar Extraer Validar Comparar Review Draft Summarize Translate Classify Plan Extract Check Compare Generate Explain Refactor Score Route'.split(
    ' ',
  )
export const nouns =
  'facturas correos contratos reuniones informes clientes pedidos incidencias candidatos presupuestos leads tickets invoices emails contracts meetings reports customers orders incidents budgets campaigns releases logs surveys nóminas albaranes catálogos'.split(
    ' ',
  )
export const purposes =
  'ventas soporte marketing finanzas legal producto España Portugal onboarding quarterly weekly enterprise retail logistics compras calidad formación dirección auditoría seguridad'.split(
    ' ',
  )

function invent(
  random: () => number,
  people: readonly string[],
  departmentIds: readonly string[],
  slugs: Map<string, number>,
  age: number,
  place: number,
): Seeded {
  const pick = <T>(list: readonly T[]): T => pickFrom(random, list)
  const type = pick(types)
  const name = `${pick(verbs)} ${pick(nouns)} ${pick(purposes)}${random() < 0.3 ? ` ${commonWord(random)}` : ''}`
  const dice = random()
  const visibility: Visibility =
    dice < 0.55
      ? 'ORGANIZATION'
      : dice < 0.6
        ? 'MARKETPLACE'
        : dice < 0.8
          ? 'DEPARTMENT'
          : dice < 0.9
            ? 'WORKSPACE'
            : 'PRIVATE'
  const state = random()
  const status: AssetStatus = state < 0.3 ? 'DRAFT' : state < 0.95 ? 'PUBLISHED' : 'ARCHIVED'
  const wanted = slugFrom(name, type)
  const n = (slugs.get(wanted) ?? 0) + 1
  slugs.set(wanted, n)
  const description = Array.from({ length: 12 }, () => commonWord(random)).join(' ')
  const body = `# ${name}\n\n${Array.from({ length: 60 }, () => commonWord(random)).join(' ')}.\n`
  return {
    id: newId(),
    versionId: newId(),
    type,
    name,
    slug: n === 1 ? wanted : numberedSlug(wanted, n),
    description,
    body,
    tags: [...new Set([fold(pick(nouns)), fold(pick(purposes))])],
    hash: contentHash({ description, bodyMarkdown: body, frontmatter: {} }),
    author_id: pick(people),
    visibility,
    department_set: visibility === 'DEPARTMENT' ? departmentSetId([pick(departmentIds)]) : '',
    status,
    uses: Math.floor(random() ** 6 * 5_000),
    up: Math.floor(random() ** 4 * 60),
    down: Math.floor(random() ** 6 * 20),
    age,
    segment: Math.floor(place / segmentLength),
  }
}

// as in any language, few words are common and most are rare
const syllables = 'ba ce di fo gu la me ni po ru sa te vi xo zu tra ble cri dro pli'.split(' ')
const vocabulary = Array.from({ length: 8_000 }, (_, n) => {
  let word = ''
  for (let rest = n + 20; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
})
export function commonWord(random: () => number): string {
  return itemAt(vocabulary, Math.floor(random() ** 3 * vocabulary.length))
}

function add(counters: Map<string, CounterRow>, row: CounterRow): void {
  const { counts, ...place } = row
  const key = JSON.stringify(place)
  const known = counters.get(key)
  if (known) known.counts = known.counts.map((n, at) => n + itemAt(counts, at))
  else counters.set(key, { ...row, counts: [...counts] })
}

async function writeBatch(database: Database, organizationId: string, batch: Seeded[]): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query("begin; set local synchronous_commit = off; set local statement_timeout = '10min'")
    const column = <T>(value: (asset: Seeded) => T) => batch.map(value)
    const ids = column(asset => asset.id)
    await client.query({
      text: insertAssets,
      values: [
        organizationId,
        ids,
        column(a => a.type),
        column(a => a.slug),
        column(a => a.name),
        column(a => fold(a.name)),
        column(a => a.description),
        column(a => a.visibility),
        column(a => a.department_set),
        column(a => a.tags.join(',')),
        column(a => a.status),
        column(a => a.author_id),
        column(a => a.versionId),
        column(a => a.age * 1_000),
        column(a => a.body),
        column(a => a.hash),
        column(a => a.uses),
        column(a => a.up),
        column(a => a.down),
      ],
    })
    await client.query(insertSearch, [
      organizationId,
      ids,
      column(a => a.segment),
      column(a => partitionOf(a)),
      column(a => marksOf(a).join()),
      column(a => indexedText(`${a.name} ${a.slug}`, 400)),
      column(a => indexedText(a.tags.join(' '), 3_000)),
      column(a => indexedText(a.description, 4_000)),
      column(a => indexedText(a.body, 20_000)),
    ])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

const insertAssets = `
  with input as (
    select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::float8[], $15::text[], $16::text[],
      $17::integer[], $18::integer[], $19::integer[])
    g (id, type, slug, name, folded, description, visibility, department_set, tags, status, author_id, version_id,
      age_days, body, hash, uses, up, down)),
  dated as (select input.*, now() - age_days * interval '1 day' as at from input),
  assets as (
    insert into asset (organization_id, id, type, slug, name, name_folded, description, visibility, department_set,
      tags, status, author_id, current_version_id, current_version, current_published_at, published_version,
      created_at, updated_at)
    select $1, id, type, slug, name, folded, description, visibility, department_set, string_to_array(tags, ','),
      status, author_id, version_id, '1.0.0', case when status <> 'DRAFT' then at end,
      case when status <> 'DRAFT' then '1.0.0' end, at, at from dated),
  counters as (
    insert into asset_counter (organization_id, asset_id, usage_count, thumbs_up, thumbs_down, created_at, type,
      status, visibility, department_set, author_id)
    select $1, id, uses, up, down, at, type, status, visibility, department_set, author_id from dated),
  slugs as (
    insert into asset_slug (organization_id, slug, asset_id, is_current) select $1, slug, id, true from dated)
  insert into asset_version (organization_id, asset_id, id, version, ordinal, precedence, description,
    body_markdown, frontmatter, content_hash, published_at, published_by, created_by, created_at)
  select $1, id, version_id, '1.0.0', 1, '${precedenceOf('1.0.0')}', description, body, '{}', hash,
    case when status <> 'DRAFT' then at end, case when status <> 'DRAFT' then author_id end, author_id, at from dated`

const both = (text: string) => `to_tsvector('simple', ${text}) || to_tsvector('spanish', ${text})`
const insertSearch = `
  insert into asset_search (organization_id, asset_id, segment, partition_key, head, terms)
  select $1, g.id, g.segment, g.partition_key,
    setweight(t.names, 'A') || setweight(t.tags, 'B') || setweight(t.description, 'C'),
    array_to_tsvector(array(
      select right($1, 8) || g.partition_key || '.' || l.lexeme
      from unnest(string_to_array(g.marks, ',') || ('@s' || g.segment)
        || tsvector_to_array(t.names || t.tags || t.body)) l (lexeme)))
  from unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
      g (id, segment, partition_key, marks, names, tags, description, body),
    lateral (select ${both('g.names')} as names, ${both('g.tags')} as tags, ${both('g.description')} as description,
      to_tsvector('spanish', g.description || ' ' || g.body) as body offset 0) t`

async function writeCounters(database: Database, organizationId: string, rows: CounterRow[]): Promise<void> {
  await database.transact(organizationId, tx => addToCounters(tx, rows))
}

async function writeWords(
  database: Database,
  organizationId: string,
  words: Map<string, string[]>,
): Promise<void> {
  const all = [...words]
  await database.pool.query(
    'insert into asset_word (organization_id, word) select $1, w from unnest($2::text[]) w on conflict do nothing',
    [organizationId, all.map(([word]) => word)],
  )
  const rows = all.flatMap(([word, parts]) => parts.map(part => ({ word, part, n: parts.length })))
  await database.pool.query(
    `insert into asset_word_part (organization_id, word, part, parts)
     select $1, p.* from unnest($2::text[], $3::text[], $4::smallint[]) p on conflict do nothing`,
    [organizationId, rows.map(row => row.word), rows.map(row => row.part), rows.map(row => row.n)],
  )
}
