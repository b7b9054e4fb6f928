import { useState } from 'react'
import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import {
  listSignatureRequests,
  type RequestSigner,
  type SignatureRequest,
  stopSignatureRequest,
} from '#contract/crm/signature-requests.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { requestTexts } from './signature-request.words.ts'
import styles from './signature-requests.module.css'
import { SignerLine } from './signer-line.tsx'

const looks = {
  OPEN: { icon: 'half', kind: 'info' },
  COMPLETED: { icon: 'done', kind: 'done' },
  DECLINED: { icon: 'failed', kind: 'danger' },
  STOPPED: { icon: 'blocked', kind: 'quiet' },
} as const

/** A request to several people, with a line for each signer. `number`: the oldest request is 1. */
export function SignatureRequestCard({ request, number }: { request: SignatureRequest; number: number }) {
  const text = useWords(requestTexts)
  const may = useMay()
  const [isStopping, setStopping] = useState(false)
  const { status, stopReason, signers } = request
  const signed = signers.filter(signer => signer.status === 'SIGNED').length
  return (
    <Card
      title={text.number(number)}
      level={3}
      beside={
        <>
          <Status {...looks[status]}>{text[status]}</Status>
          <span className={styles.quiet}>{text.signedOf(signed, signers.length)}</span>
        </>
      }
      actions={
        status === 'OPEN' &&
        may(stopSignatureRequest) && (
          <Button size="small" kind="quiet" onPress={() => setStopping(true)}>
            {text.stop}
          </Button>
        )
      }
    >
      {stopReason && <p className={styles.quiet}>{text[stopReason]}</p>}
      <ol className={styles.signers} aria-label={text.signers}>
        {signers.map(signer => (
          <SignerLine
            key={signer.id}
            request={request}
            signer={signer}
            waitsFor={namesBefore(signers, signer)}
          />
        ))}
      </ol>
      {isStopping && <StopDialog request={request} onClose={() => setStopping(false)} />}
    </Card>
  )
}

/** The signers who must sign before another one. */
function namesBefore(signers: readonly RequestSigner[], { order }: RequestSigner): string[] {
  return signers.filter(each => each.order < order && each.status !== 'SIGNED').map(({ name }) => name)
}

function StopDialog({ request, onClose }: { request: SignatureRequest; onClose: () => void }) {
  const text = useWords(requestTexts)
  return (
    <ConfirmAction
      operation={stopSignatureRequest}
      input={{ params: { id: request.budgetId, requestId: request.id } }}
      refreshes={[listSignatureRequests, listSigningLinks, readBudget, listBudgets]}
      title={text.stopQuestion}
      action={text.stopAction}
      isDangerous
      onClose={onClose}
      toast={() => text.stopped}
    >
      {text.stopAbout}
    </ConfirmAction>
  )
}
