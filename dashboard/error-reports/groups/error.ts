import type { readErrorGroup } from '#contract/error-reports/tab.ts'
import type { Reply } from '#contract/route.ts'

export type { ErrorSeverity, ErrorState } from '#contract/error-reports/errors.ts'
export type { ErrorGroup, ErrorGroupItem } from '#contract/error-reports/tab.ts'

/** An error with its samples, hours, history and ticket. */
export type ErrorDetail = Reply<typeof readErrorGroup>
export type Sample = ErrorDetail['samples'][number]
export type HistoryEntry = ErrorDetail['history'][number]

/** The first line of a message: what a list or a title shows. */
export function titleOf({ message }: { message: string }): string {
  return message.split('\n').find(line => line.trim() !== '') ?? message
}

/** The lines of a message below its title. */
export function restOf(error: { message: string }): string {
  const title = titleOf(error)
  return error.message.slice(error.message.indexOf(title) + title.length).trim()
}

/** Where an error occurred: its file and line, else its function or its module. */
export function placeOf(error: {
  file: string | null
  line: number | null
  function?: string | null
  module?: string
}): string {
  if (error.file === null) return error.function ?? error.module ?? ''
  return error.line === null ? error.file : `${error.file}:${error.line}`
}
