import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import type { Standing } from '../asset.rules.ts'
import { everPlaced } from '../asset-counters.sql.ts'
import { indexed, marksOf, placeOf, stretchLength, wordParts } from './asset-index.terms.ts'

const stems = (text: string) => `to_tsvector('spanish', ${text})`
const wordsAndStems = (text: string) => `to_tsvector('simple', ${text}) || ${stems(text)}`
const keyOf = (place: string) => `right($1, 8) || ${place} || '.'`
/** Whom the asset is shared with; also those whom it no longer reaches, as access is checked on the row. */
const shareMarks = (asset: string) => `array(select '@g' || right(g.grantee_id, 8) from asset_share g
  where g.organization_id = $1 and g.asset_id = ${asset})`

const putTerms = sql<
  never,
  [
    assetId: string,
    place: string,
    marks: string[],
    names: string,
    tags: string,
    description: string,
    body: string,
  ]
>(`
  insert into asset_search (organization_id, asset_id, stretch, place, head, terms)
  select $1, $2, n.stretch, $3,
    setweight(t.names, 'A') || setweight(t.tags, 'B') || setweight(t.description, 'C'),
    array_to_tsvector(array(
      select ${keyOf('$3')} || l.lexeme from unnest($4::text[] || ('@s' || n.stretch) || ${shareMarks('$2')}
        || tsvector_to_array(t.names || t.tags || ${stems('$7')} || t.body)) l (lexeme)))
  from (
    select coalesce(
      (select s.stretch from asset_search s where s.organization_id = $1 and s.asset_id = $2),
      (select sum(n) from asset_tally y, unnest(y.counts) n where y.organization_id = $1 and y.author_id = ''
        and y.visibility = '${everPlaced}') / ${stretchLength}, 0)::integer as stretch) n,
    (select ${wordsAndStems('$5')} as names, ${wordsAndStems('$6')} as tags, ${wordsAndStems('$7')} as description,
      ${stems('$8')} as body) t
  on conflict (organization_id, asset_id) do update
    set place = excluded.place, head = excluded.head, terms = excluded.terms`)

/** What search finds an asset by. */
export type Searched = {
  name: string
  slug: string
  tags: readonly string[]
  description: string
  bodyMarkdown: string
}

/** Makes an asset findable, or findable by other words. */
export async function putIntoSearch(tx: Tx, id: string, standing: Standing, text: Searched): Promise<void> {
  const names = indexed(`${text.name} ${text.slug}`, 400)
  const tags = indexed(text.tags.join(' '), 3_000)
  const description = indexed(text.description, 4_000)
  const body = indexed(text.bodyMarkdown, 20_000)
  await Promise.all([
    tx.run(putTerms, id, placeOf(standing), marksOf(standing), names, tags, description, body),
    learnWords(tx, [text.name, ...text.tags, text.description]),
  ])
}

const changePlace = sql<never, [assetId: string, place: string, marks: string[]]>(`
  update asset_search s set place = $3, terms = array_to_tsvector(array(
    select ${keyOf('$3')} || l.lexeme from (
      select substr(w.lexeme, length(o.key) + 1) as lexeme
      from (select ${keyOf('s.place')} as key) o, unnest(tsvector_to_array(s.terms)) w (lexeme)
      where not starts_with(w.lexeme, o.key || '@')
      union all select unnest($4::text[] || ('@s' || s.stretch) || ${shareMarks('$2')})) l))
  where s.organization_id = $1 and s.asset_id = $2`)

/** Moves an asset to where its new standing belongs, with the words it has. */
export async function moveInSearch(tx: Tx, assetId: string, standing: Standing): Promise<void> {
  await tx.run(changePlace, assetId, placeOf(standing), marksOf(standing))
}

const deleteRow = sql<never, [assetId: string]>(
  'delete from asset_search s where s.organization_id = $1 and s.asset_id = $2',
)
export async function removeFromSearch(tx: Tx, assetId: string): Promise<void> {
  await tx.run(deleteRow, assetId)
}

const insertWords = sql<never, [words: string[], owners: string[], parts: string[], counts: number[]]>(`
  with fresh as (
    insert into asset_word (organization_id, word) select $1, w from unnest($2::text[]) w order by 2
    on conflict do nothing returning word)
  insert into asset_word_part (organization_id, part, word, parts)
  select $1, p.part, p.word, p.parts
  from unnest($3::text[], $4::text[], $5::smallint[]) p (word, part, parts) join fresh on fresh.word = p.word
  on conflict do nothing`)

async function learnWords(tx: Tx, texts: readonly string[]): Promise<void> {
  const words = wordParts(texts)
  if (words.size === 0) return
  const rows = [...words].flatMap(([word, parts]) => parts.map(part => ({ word, part, count: parts.length })))
  await tx.run(
    insertWords,
    [...words.keys()],
    rows.map(row => row.word),
    rows.map(row => row.part),
    rows.map(row => row.count),
  )
}
