import { inject } from 'vitest'
import { inTurn } from './elements.ts'

/** Whether every case runs, in `npm run test:long`. */
const isWhole = process.env.WHOLE_MATRIX === '1'

/**
 * One of `shares` parts of the cases of a subject, at least one case; or in `npm run test:long` all cases. Each run takes another
 * part, and so does each turn, so that every case is in the part of some subject.
 */
export function sampleOf<Case>(
  cases: readonly Case[],
  { shares, turn }: { shares: number; turn: number },
): Case[] {
  if (isWhole || cases.length === 0) return [...cases]
  const first = inject('sampleSeed') + turn
  const part = cases.filter((_, at) => (at + first) % shares === 0)
  return part.length > 0 ? part : [inTurn(cases, first)]
}

/** One case of each kind, another one in each run and turn; or in `npm run test:long` all cases. */
export function oneOfEach<Case>(
  cases: readonly Case[],
  { kindOf, turn }: { kindOf: (of: Case) => string; turn: number },
): Case[] {
  return [...Map.groupBy(cases, kindOf).values()].flatMap(alike =>
    sampleOf(alike, { shares: alike.length, turn }),
  )
}
