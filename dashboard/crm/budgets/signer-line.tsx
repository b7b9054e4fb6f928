import { useState } from 'react'
import { type RequestSigner, replaceSigner, type SignatureRequest } from '#contract/crm/signature-requests.ts'
import { sendSigningLink } from '#contract/crm/signing-links.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { ReplaceSignerDialog } from './replace-signer-dialog.tsx'
import { SendLinkDialog } from './send-link-dialog.tsx'
import { requestTexts } from './signature-request.words.ts'
import styles from './signature-requests.module.css'

const looks = {
  WAITING: { icon: 'dashed', kind: 'quiet' },
  INVITED: { icon: 'mail', kind: 'info' },
  VIEWED: { icon: 'half', kind: 'info' },
  SIGNED: { icon: 'done', kind: 'done' },
  DECLINED: { icon: 'failed', kind: 'danger' },
  EXPIRED: { icon: 'clock', kind: 'warn' },
  STOPPED: { icon: 'blocked', kind: 'quiet' },
} as const

type SignerLineProps = {
  request: SignatureRequest
  signer: RequestSigner
  /** The names of those who must sign first. */
  waitsFor: readonly string[]
}

/** A signer: the place, what they did last and when, and what can be done for them. */
export function SignerLine({ request, signer, waitsFor }: SignerLineProps) {
  const text = useWords(requestTexts)
  const may = useMay()
  const [open, setOpen] = useState<'send' | 'replace'>()
  const close = () => setOpen(undefined)
  const { position, name, email, status, linkId } = signer
  const isOpen = request.status === 'OPEN' && status !== 'SIGNED'
  const isInvited = isOpen && (status === 'INVITED' || status === 'VIEWED')
  const at = timeOf(signer)
  return (
    <li className={styles.signer}>
      <span className={styles.place}>{position}</span>
      <span className={styles.person}>
        <span className={styles.name}>{name || text.erased}</span>
        <span className={styles.quiet}>{email}</span>
      </span>
      <span className={styles.state}>
        <Status {...looks[status]}>{textOfSigner(signer, waitsFor, text)}</Status>
        {at && (
          <span className={styles.quiet}>
            <Time value={at} form="moment" />
          </span>
        )}
      </span>
      <span className={styles.actions}>
        {isInvited && may(sendSigningLink) && (
          <Button size="small" icon="mail" onPress={() => setOpen('send')}>
            {text.resend}
          </Button>
        )}
        {isOpen && may(replaceSigner) && (
          <Button size="small" kind="quiet" onPress={() => setOpen('replace')}>
            {text.replace}
          </Button>
        )}
      </span>
      {open === 'send' && linkId && (
        <SendLinkDialog
          link={{ id: linkId, budgetId: request.budgetId, signerEmail: email }}
          onClose={close}
        />
      )}
      {open === 'replace' && <ReplaceSignerDialog request={request} signer={signer} onClose={close} />}
    </li>
  )
}

type Texts = Record<
  'mailing' | 'invited' | 'viewed' | 'signed' | 'declined' | 'expired' | 'notSigned',
  string
> & { waitingFor: (names: string) => string }

function textOfSigner({ status, mailedAt }: RequestSigner, waitsFor: readonly string[], text: Texts): string {
  if (status === 'WAITING') return text.waitingFor(waitsFor.join(', '))
  if (status === 'INVITED') return mailedAt === null ? text.mailing : text.invited
  return {
    VIEWED: text.viewed,
    SIGNED: text.signed,
    DECLINED: text.declined,
    EXPIRED: text.expired,
    STOPPED: text.notSigned,
  }[status]
}

/** The time of what the status says. */
function timeOf(signer: RequestSigner): string | null {
  const { status, mailedAt, viewedAt, signedAt, declinedAt, expiresAt } = signer
  if (status === 'WAITING' || status === 'STOPPED') return null
  return {
    INVITED: mailedAt,
    VIEWED: viewedAt,
    SIGNED: signedAt,
    DECLINED: declinedAt,
    EXPIRED: expiresAt,
  }[status]
}
