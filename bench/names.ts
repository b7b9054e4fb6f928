import { inTurn } from '#tests/support/elements.ts'

/**
 * Names of new assets, four words each: all different, from a vocabulary as small as that of real names.
 * Fixed, so that both sides write the same.
 */
const vocabulary = (
  'account agenda answer archive article audit balance banner board brief budget calendar campaign case chart ' +
  'checklist client column comment contract course credit customer daily data deal deck delivery design detail ' +
  'digest draft dunning email event export faq feature feedback field finance flow follow forecast format funnel ' +
  'glossary goal greeting guide handover headline hiring incident index inquiry insight interview invoice issue ' +
  'journal keyword kickoff launch lead legal letter license market meeting memo message metric minutes module ' +
  'monthly network notice offer order outline outreach partner pitch plan policy portal price product profile ' +
  'project proposal quality quarter query question'
).split(' ')

/** The `n`-th name, as words. */
export function wordsOf(n: number): string[] {
  const words: string[] = []
  for (let rest = n; words.length < 4; rest = Math.floor(rest / vocabulary.length)) {
    words.push(inTurn(vocabulary, rest))
  }
  return words
}

/** Words that occur nowhere else, so that they identify the name in a recorded statement. */
export const markedWords = ['quorvex', 'zimbule', 'thrandel', 'wolquist']
