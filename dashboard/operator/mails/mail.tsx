import type { listOperatedMails } from '#contract/identity/health.ts'
import type { Reply } from '#contract/route.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { type Language, useWords } from '../../words/words.ts'
import type { MailState as State } from './mail-search.ts'
import { mailKindTexts, mailTexts } from './mails.words.ts'

/** A queued or refused mail as operators see it. */
export type Mail = Reply<typeof listOperatedMails>['items'][number]

/** The kind of a mail in words; an unknown kind stays as it is. */
export function kindText(kind: string, language: Language): string {
  return mailKindTexts[kind as keyof typeof mailKindTexts]?.[language] ?? kind
}

const icons: Readonly<Record<State, { icon: IconName; kind: StatusKind }>> = {
  QUEUED: { icon: 'clock', kind: 'info' },
  RETRYING: { icon: 'retry', kind: 'warn' },
  REFUSED: { icon: 'failed', kind: 'danger' },
}

/** The state of a mail: an icon and a word. */
export function MailState({ state }: { state: State }) {
  const text = useWords(mailTexts)
  return <Status {...icons[state]}>{text[state]}</Status>
}
