import { readFileSync } from 'node:fs'
import type { BenchEnvironment } from './environment.ts'
import type { LoadResult } from './load.ts'
import { median, quotients, short } from './statistics.ts'

/** One of the compared programs. */
export type ComparedSide = { name: string; pid: number; run(seconds: number): Promise<LoadResult> }

/** A round of a side, with the processor time of its process, where the system reports it. */
export type Round = LoadResult & { cpuMs: number }

/**
 * Runs the sides in turn, every other round in the opposite order, so that other load on the machine affects
 * all of them. Returns the rounds of each side.
 */
export async function inTurns(
  environment: BenchEnvironment,
  sides: readonly ComparedSide[],
): Promise<Round[][]> {
  const { rounds: count, seconds, warmUpSeconds } = environment.size
  for (const side of sides) await side.run(warmUpSeconds)
  const results = sides.map(side => ({ side, rounds: [] as Round[] }))
  for (let round = 0; round < count; round++) {
    for (const { side, rounds } of inOrder(results, round)) {
      await environment.settled()
      const before = processorMs(side.pid)
      const loaded = await side.run(seconds)
      rounds.push({ ...loaded, cpuMs: (processorMs(side.pid) - before) / loaded.requests })
    }
  }
  return results.map(({ rounds }) => rounds)
}

/** The sides in the order of a round: every other one is reversed. */
export function inOrder<Side>(sides: readonly Side[], round: number): readonly Side[] {
  return round % 2 === 0 ? sides : sides.toReversed()
}

/** The ratio of each round. */
export function ratios(
  over: readonly Round[],
  under: readonly Round[],
  of: (round: Round) => number,
): number[] {
  return quotients(over.map(of), under.map(of))
}

/** The measurements, for the raw output. */
export function rawLine(name: string, rounds: readonly Round[]): string {
  const of = (pick: (round: Round) => number) => short(median(rounds.map(pick)))
  return `${name}: ${of(one => one.perSecond)}/s, p50 ${of(one => one.p50Ms)} ms, p99 ${of(one => one.p99Ms)} ms, processor ${of(one => one.cpuMs)} ms each`
}

/** More reliable than the clock on a shared machine, because other work costs a process no processor time. */
export function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}
