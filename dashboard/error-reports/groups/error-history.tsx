import type { IconName } from '../../parts/icon.tsx'
import { Timeline, type TimelineEvent } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import type { HistoryEntry } from './error.ts'
import { errorDetailTexts } from './error-details.words.ts'

const looks: Readonly<Record<HistoryEntry['action'], { icon: IconName; kind?: TimelineEvent['kind'] }>> = {
  REPORTED: { icon: 'errors' },
  RESOLVED: { icon: 'done', kind: 'done' },
  SILENCED: { icon: 'hidden' },
  REOPENED: { icon: 'retry' },
  REGRESSED: { icon: 'retry', kind: 'danger' },
  SILENCE_ENDED: { icon: 'clock', kind: 'warn' },
  SPIKED: { icon: 'lightning', kind: 'danger' },
  TICKET_CREATED: { icon: 'audit' },
  TICKET_REOPENED: { icon: 'audit' },
}

/** The history of an error, with the person of each action. */
export function ErrorHistory({ history }: { history: readonly HistoryEntry[] }) {
  const text = useWords(errorDetailTexts)
  return (
    <Timeline
      label={text.history}
      events={history.map(({ action, at, by }) => {
        const what = text[action]
        return {
          ...looks[action],
          id: `${at} ${action}`,
          at,
          content: typeof what === 'string' ? what : what(by?.name || text.system),
        }
      })}
    />
  )
}
