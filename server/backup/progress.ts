import { monotonicMs } from '../platform/clock.ts'

const showMs = 500

/** A size for people, such as `1.4 GB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  for (; size >= 1_000 && unit < units.length - 1; unit++) size /= 1_000
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

/** Shows on a terminal how far a backup or a restore has come. */
export function openProgress(): { show(part: string, bytes: number): void; end(): void } {
  const isTerminal = process.stderr.isTTY === true
  let shownAtMs = 0
  return {
    show(part, bytes) {
      if (!isTerminal || monotonicMs() - shownAtMs < showMs) return
      shownAtMs = monotonicMs()
      process.stderr.write(`\r\x1b[K${part}: ${sizeText(bytes)}`)
    },
    end() {
      if (shownAtMs > 0) process.stderr.write('\r\x1b[K')
    },
  }
}
