import { useState } from 'react'
import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import {
  listSigningLinks,
  revokeSigningLink,
  type SigningLink,
  sendSigningLink,
} from '#contract/crm/signing-links.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { type Step, Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import { SendLinkDialog } from './send-link-dialog.tsx'
import styles from './signing.module.css'
import { signingTexts } from './signing.words.ts'

const looks = {
  OPEN: { icon: 'circle', kind: 'info' },
  SIGNED: { icon: 'done', kind: 'done' },
  DECLINED: { icon: 'failed', kind: 'danger' },
  REVOKED: { icon: 'blocked', kind: 'quiet' },
  EXPIRED: { icon: 'clock', kind: 'warn' },
} as const

/** A signing link: its signer, its progress, and its actions. `number`: the oldest link is 1. */
export function SigningLinkCard({ link, number }: { link: SigningLink; number: number }) {
  const text = useWords(signingTexts)
  const may = useMay()
  const [open, setOpen] = useState<'send' | 'revoke'>()
  const close = () => setOpen(undefined)
  const { signerName, signerEmail, status, documentHash, expiresAt, mailedAt } = link
  const isOpen = status === 'OPEN'
  return (
    <Card
      title={text.linkNumber(number, signerName || text.erased)}
      level={3}
      beside={<Status {...looks[status]}>{text[status]}</Status>}
      actions={
        isOpen && (
          <>
            {may(sendSigningLink) && (
              <Button size="small" icon="mail" onPress={() => setOpen('send')}>
                {mailedAt ? text.sendAgain : text.send}
              </Button>
            )}
            {may(revokeSigningLink) && (
              <Button size="small" kind="quiet" onPress={() => setOpen('revoke')}>
                {text.revoke}
              </Button>
            )}
          </>
        )
      }
    >
      <Steps label={text.steps} steps={stepsOf(link, text)} />
      <Facts
        facts={[
          { term: text.email, value: signerEmail },
          isOpen && { term: text.expires, value: <Time value={expiresAt} form="moment" /> },
          {
            term: text.fingerprint,
            value: documentHash ? (
              <span className={styles.fingerprint}>{documentHash}</span>
            ) : (
              text.noFingerprint
            ),
          },
        ]}
      />
      {open === 'send' && <SendLinkDialog link={link} onClose={close} />}
      {open === 'revoke' && <RevokeDialog link={link} onClose={close} />}
    </Card>
  )
}

type Titles = Record<`step${'Issued' | 'Mailed' | 'Viewed' | 'Signed' | 'Declined' | 'Revoked'}`, string> & {
  stepReminded: (count: number) => string
}

/** The steps of a link: those that happened have a time; a link can be signed without a mail. */
function stepsOf(link: SigningLink, text: Titles): Step[] {
  const { createdAt, mailedAt, reminderCount, viewedAt, signedAt, declinedAt, revokedAt, status } = link
  const end = declinedAt
    ? { id: 'end', title: text.stepDeclined, at: declinedAt }
    : revokedAt
      ? { id: 'end', title: text.stepRevoked, at: revokedAt }
      : { id: 'end', title: text.stepSigned, at: signedAt }
  const steps = [
    { id: 'issued', title: text.stepIssued, at: createdAt },
    {
      id: 'mailed',
      title: reminderCount > 0 ? text.stepReminded(reminderCount) : text.stepMailed,
      at: mailedAt,
    },
    { id: 'viewed', title: text.stepViewed, at: viewedAt },
    end,
  ]
  const last = steps.findLastIndex(({ at }) => at !== null)
  return steps
    .filter(({ at }, index) => at !== null || (status === 'OPEN' && index > last))
    .map(({ id, title, at }, index, shown) => ({
      id,
      title,
      state: at !== null ? 'done' : shown[index - 1]?.at !== null ? 'next' : 'later',
      ...(at !== null && { about: <Time value={at} form="moment" /> }),
    }))
}

const changed = [listSigningLinks, readBudget, listBudgets]
type DialogProps = { link: SigningLink; onClose: () => void }

function RevokeDialog({ link: { id, budgetId, signerName }, onClose }: DialogProps) {
  const text = useWords(signingTexts)
  return (
    <ConfirmAction
      operation={revokeSigningLink}
      input={{ params: { id: budgetId, linkId: id } }}
      refreshes={changed}
      title={text.revokeQuestion(signerName)}
      action={text.revokeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.revoked}
    >
      {text.revokeAbout}
    </ConfirmAction>
  )
}
