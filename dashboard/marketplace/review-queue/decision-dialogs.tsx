import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import {
  approveSubmission,
  readSubmission,
  rejectSubmission,
  type SubmissionDetail,
} from '#contract/marketplace/review-queue.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, readAgain, useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { meaningOf, type PlacedFinding, quotedPlace } from '../release/finding.rules.ts'
import { findingTexts } from '../release/finding.words.ts'
import { partTitle } from '../release/release.ts'
import { releaseTexts } from '../release/release.words.ts'
import { queueTexts } from './queue.words.ts'

type DecisionProps = {
  submission: SubmissionDetail
  onClose: () => void
  /** After the decision: goes on to what waits next. */
  onDecided: () => void
}

/** Approves the release that the operator read. */
export function ApproveDialog({ submission, onClose, onDecided }: DecisionProps) {
  const text = useWords(queueTexts)
  const { entryId, releaseId, name, version, findings } = submission
  const approve = useAction(approveSubmission)
  const decide = useDecision({ onClose, onDecided })
  const send = ({ note = '' }: Readonly<Record<string, string>>) =>
    decide(text.approved(name), () =>
      approve.mutateAsync({
        params: { entryId },
        body: { releaseId, ...(note.trim() !== '' && { note: note.trim() }) },
      }),
    )
  return (
    <Dialog title={text.approveTitle(name, version)} isOpen onClose={onClose} size="small">
      <p>{text.approveAbout}</p>
      {findings.length > 0 && <Notice kind="warn">{text.approveFindings(findings.length)}</Notice>}
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Reason
              {...fieldOf(approveSubmission, 'note')}
              label={text.noteLabel}
              hint={text.noteHint}
              maxLength={limits.reviewQueueNote}
            />
            <FormActions onLeave={onClose} action={text.approveAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Rejects the release, with a reason that quotes findings by file and line. */
export function RejectDialog({
  submission,
  findings,
  onClose,
  onDecided,
}: DecisionProps & { findings: readonly PlacedFinding[] }) {
  const text = useWords(queueTexts)
  const quoted = useQuotes(findings)
  const [reason, setReason] = useState(quoted)
  const { entryId, releaseId, name, version } = submission
  const reject = useAction(rejectSubmission)
  const decide = useDecision({ onClose, onDecided })
  const send = () =>
    decide(text.rejected(name), () =>
      reject.mutateAsync({ params: { entryId }, body: { releaseId, reason: reason.trim() } }),
    )
  return (
    <Dialog title={text.rejectTitle(name, version)} isOpen onClose={onClose}>
      <p>{text.rejectAbout}</p>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Reason
              {...fieldOf(rejectSubmission, 'reason')}
              label={text.reasonLabel}
              maxLength={limits.reviewQueueNote}
              minLength={limits.reviewQueueReasonMin}
              rows={8}
              value={reason}
              onChange={setReason}
            />
            <FormActions onLeave={onClose} action={text.rejectAction} kind="danger" isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** A line for each finding that is more than a note: where it is, what it is, what to do. */
function useQuotes(findings: readonly PlacedFinding[]): string {
  const language = useLanguage()
  const releaseText = useWords(releaseTexts)
  const findingText = useWords(findingTexts)
  const quoted = findings.length === 1 ? findings : findings.filter(({ severity }) => severity !== 'note')
  const lines = quoted.map(finding => {
    const place = quotedPlace(finding, part => partTitle(part, releaseText), findingText.line)
    const { title, advice } = meaningOf(finding, language)
    return `${place ? `${place}: ` : ''}${title}. ${advice}\n`
  })
  return lines.join('').slice(0, limits.reviewQueueNote)
}

/** Runs a decision. If another release was submitted, reads it: the screen then says what changed. */
function useDecision({ onClose, onDecided }: Pick<DecisionProps, 'onClose' | 'onDecided'>) {
  const cache = useQueryClient()
  const language = useLanguage()
  const { id } = useOrganization()
  return async (done: string, decide: () => Promise<unknown>): Promise<void> => {
    try {
      await decide()
    } catch (error) {
      if (codeOf(error) !== 'RELEASE_CHANGED') throw error
      await readAgain(cache, keyOf(id, readSubmission))
      showToast({ kind: 'info', text: textOfError(error, language) })
      return onClose()
    }
    showToast({ text: done })
    onClose()
    onDecided()
  }
}
