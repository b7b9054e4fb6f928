/** The ids of the names that a text mentions as `@Name`. */
export type Mentions = ReadonlyMap<string, string>
/** Somebody whom a text can mention. */
export type Mentionable = { id: string; name: string; kind: 'person' | 'application' }

const wire = /<@([A-Za-z0-9_-]+)>/g

/** The text as people write it, and whom its names mean. */
export function fromWire(
  content: string,
  names: ReadonlyMap<string, string>,
): { text: string; mentions: Mentions } {
  const mentions = new Map<string, string>()
  const text = content.replaceAll(wire, (whole, id: string) => {
    const name = names.get(id)
    // of two people with one name, the second stays an id
    if (name === undefined || (mentions.has(name) && mentions.get(name) !== id)) return whole
    mentions.set(name, id)
    return `@${name}`
  })
  return { text, mentions }
}

/** The text as the server takes it. Longer names come first, because one may begin another. */
export function toWire(text: string, mentions: Mentions): string {
  const names = [...mentions.keys()].sort((a, b) => b.length - a.length)
  if (names.length === 0) return text
  const pattern = new RegExp(`@(${names.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return text.replaceAll(pattern, (_, name: string) => `<@${mentions.get(name)}>`)
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The beginning of a name that is being typed after `@`; undefined if there is none. */
export function searchAt(text: string, caret: number): { start: number; search: string } | undefined {
  const [, search] = /(?:^|[\s(])@([^\s@]{0,40}(?: [^\s@]{1,40})?)$/u.exec(text.slice(0, caret)) ?? []
  return search === undefined ? undefined : { start: caret - search.length - 1, search }
}

const mostFound = 8
const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Those whose name has a word that begins like this, without regard to case and accents. */
export function findMentionable(all: readonly Mentionable[], search: string): readonly Mentionable[] {
  const wanted = folded(search)
  return all.filter(({ name }) => ` ${folded(name)}`.includes(` ${wanted}`)).slice(0, mostFound)
}
