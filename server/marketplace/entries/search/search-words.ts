import { isStopWord, stemOf } from '#platform/search-words.ts'

/** Known words that a prefix expands to. */
const maxForms = 10

/** How an entry matches a search. By relevance, a lower tier comes first. */
export const tiers = { exactName: 0, beginningOfName: 1, allWords: 2, similarWords: 3 } as const

/**
 * SQL for the table `search_query` (tier, query) with all words of a search, each literally or by its stem. The last word also
 * matches as a prefix: of known words of the catalogue, or of any word where few rows are scanned. Stop words count only if
 * there are no other words. `words` is the parameter with the folded words; without words the query is null.
 */
export function searchQuerySql(words: string, begins: 'known' | 'any' = 'known'): string {
  const isLast = `w.at = cardinality(${words}::text[]) and length(w.word) > 1`
  const beginning = {
    known: `union all (
          select quote_literal(y.word) from market_word y
          where ${isLast} and y.word > w.word collate "C" and y.word < (w.word || U&'\\+10FFFF') collate "C"
          order by y.word limit ${maxForms})`,
    any: `union all select quote_literal(w.word) || ':*' where ${isLast}`,
  }[begins]
  return `
  word as materialized (
    select w.at, ${isStopWord('w.word')} as is_stop, '(' || (
      select string_agg(distinct f.form, ' | ') from (
        select quote_literal(w.word) as form
        union all select quote_literal(${stemOf('w.word')})
        ${beginning}) f) || ')' as forms
    from unnest(${words}::text[]) with ordinality w (word, at)),
  search_query as materialized (
    select ${tiers.allWords} as tier, string_agg(w.forms, ' & ' order by w.at)::tsquery as query
    from word w where not w.is_stop or not exists (select from word o where not o.is_stop))`
}
