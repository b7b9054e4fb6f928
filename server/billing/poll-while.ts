import { setTimeout as sleep } from 'node:timers/promises'

const [firstPauseMs, longestPauseMs] = [25, 500]

/** Reads a row again at growing intervals of up to half a second, for as long as `isRunning`. */
export async function pollWhile<Row>(
  row: Row,
  isRunning: (row: Row) => boolean,
  read: () => Promise<Row>,
): Promise<Row> {
  for (let pauseMs = firstPauseMs; isRunning(row); pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    await sleep(pauseMs)
    row = await read()
  }
  return row
}
