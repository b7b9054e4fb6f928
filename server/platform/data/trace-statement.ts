import { errorTypeOf, type Span } from '../traces.ts'
import type { AnyStatement } from './statement.ts'

/**
 * Adds a span for a statement that was sent. It has the text of the program, in which values are parameters, and never
 * the values.
 */
export function traceStatement(
  parent: Span,
  { text }: Pick<AnyStatement, 'text'>,
  answer: Promise<unknown>,
): void {
  const summary = summaryOf(text)
  const span = parent.startChild({
    name: summary,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': text },
  })
  if (!span) return
  answer.then(
    () => span.end(),
    error => span.end(errorTypeOf(error)),
  )
}

/** The first word and the first table: `insert outbox`. */
function summaryOf(text: string): string {
  const verb = text.split(' ', 1)[0]!
  const table = /\b(?:from|into|update|only) (\w+)/i.exec(text)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}
