/** Something that the palette finds by its words. */
type Searchable = { id: string; label: string; keywords?: string }

/**
 * The commands that fit a text, best first. Letters must occur in order; those at the beginning of words count
 * more, accents do not count. Without a text: the recent ones first, then all in their order.
 */
export function searchCommands<Item extends Searchable>(
  items: readonly Item[],
  text: string,
  recentIds: readonly string[],
): Item[] {
  const wanted = plainOf(text)
  const recency = new Map(recentIds.map((id, at) => [id, recentIds.length - at]))
  return items
    .map((item, at) => ({ item, at, score: scoreOf(item, wanted), recent: recency.get(item.id) ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.recent - a.recent || a.at - b.at)
    .map(({ item }) => item)
}

function scoreOf({ label, keywords = '' }: Searchable, wanted: string): number {
  if (wanted === '') return 1
  return Math.max(scoreOfText(plainOf(label), wanted), scoreOfText(plainOf(keywords), wanted) * 0.9)
}

/** 0 if the letters do not occur in this order. */
function scoreOfText(text: string, wanted: string): number {
  const whole = text.indexOf(wanted)
  if (whole === 0) return 100
  if (whole > 0) return text[whole - 1] === ' ' ? 80 : 60
  let score = 0
  let from = 0
  for (const letter of wanted.replaceAll(' ', '')) {
    const at = text.indexOf(letter, from)
    if (at < 0) return 0
    score += at === 0 || text[at - 1] === ' ' ? 3 : at === from ? 2 : 0.5
    from = at + 1
  }
  return (score / wanted.length) * 10
}

function plainOf(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
