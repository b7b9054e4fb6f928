import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import type { ErrorSeverity as Severity, ErrorState as State } from './error.ts'
import { errorTexts } from './errors.words.ts'

const states: Readonly<Record<State, { icon: IconName; kind?: StatusKind }>> = {
  UNRESOLVED: { icon: 'circle' },
  SILENCED: { icon: 'hidden', kind: 'quiet' },
  RESOLVED: { icon: 'done', kind: 'done' },
}
const severities: Readonly<Record<Severity, { icon: IconName; kind?: StatusKind }>> = {
  critical: { icon: 'failed', kind: 'danger' },
  high: { icon: 'blocked', kind: 'danger' },
  medium: { icon: 'errors', kind: 'warn' },
  low: { icon: 'info', kind: 'quiet' },
}

/** The state of an error: an icon and a word. */
export function ErrorState({ state }: { state: State }) {
  const text = useWords(errorTexts)
  return <Status {...states[state]}>{text[state]}</Status>
}

/** The severity of an error: an icon and a word. */
export function ErrorSeverity({ severity }: { severity: Severity }) {
  const text = useWords(errorTexts)
  return <Status {...severities[severity]}>{text[severity]}</Status>
}
