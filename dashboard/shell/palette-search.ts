/** Something that the palette finds by its words. */
type Searchable = { id: string; label: string; keywords?: string }

/**
 * The commands that fit a text, best first. A command whose words begin with the typed ones comes before one that
 * only has the letters somewhere, and its label counts more than its keywords. Equal ones: those that were used last
 * first, then those whose label begins with the text. Accents do not count. Without a text: the recent ones first,
 * then all in their order.
 */
export function searchCommands<Item extends Searchable>(
  items: readonly Item[],
  text: string,
  recentIds: readonly string[],
): Item[] {
  const typed = plainOf(text)
  const recency = new Map(recentIds.map((id, at) => [id, recentIds.length - at]))
  return items
    .map((item, at) => ({
      item,
      at,
      fit: fitOf(item, typed),
      recent: recency.get(item.id) ?? 0,
      begins: plainOf(item.label).startsWith(typed) ? 1 : 0,
    }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || b.recent - a.recent || b.begins - a.begins || a.at - b.at)
    .map(({ item }) => item)
}

function fitOf({ label, keywords = '' }: Searchable, typed: string): number {
  if (typed === '') return 1
  return Math.max(2 * fitOfText(plainOf(label), typed), 2 * fitOfText(plainOf(keywords), typed) - 1)
}

/** 4: the whole text; 3: its words begin so; 2: it contains this; 1: the letters in this order; 0: nothing of it. */
function fitOfText(text: string, typed: string): number {
  if (wordsOf(text).join(' ') === typed) return 4
  if (wordsOf(typed).every(start => wordsOf(text).some(word => word.startsWith(start)))) return 3
  if (text.includes(typed)) return 2
  let from = 0
  for (const letter of typed.replaceAll(' ', '')) {
    from = text.indexOf(letter, from) + 1
    if (from === 0) return 0
  }
  return 1
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
}

function plainOf(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
