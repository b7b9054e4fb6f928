import { useState } from 'react'
import type { Budget } from '#contract/crm/budgets.ts'
import { listSignatureRequests, requestSignatures } from '#contract/crm/signature-requests.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Section } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { requestTexts } from './signature-request.words.ts'
import { SignatureRequestCard } from './signature-request-card.tsx'
import styles from './signing.module.css'
import { isSettled } from './use-budget-actions.ts'

const RequestSignaturesDialog = late(() =>
  import('./request-signatures-dialog.tsx').then(dialog => dialog.RequestSignaturesDialog),
)

/** Whether several people are signing a budget, so that nobody else can. */
export function useHasOpenRequest(budgetId: string): boolean {
  const { data } = useRead(listSignatureRequests, { params: { id: budgetId } })
  return data?.items.some(({ status }) => status === 'OPEN') ?? false
}

/** The requests to several people to sign a budget, newest first. */
export function SignatureRequests({ budget }: { budget: Budget }) {
  const text = useWords(requestTexts)
  const language = useLanguage()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { data, error, isPending } = useRead(listSignatureRequests, { params: { id: budget.id } })
  const isOpen = useHasOpenRequest(budget.id)
  return (
    <Section
      title={text.title}
      about={isOpen ? text.aboutOpen : text.about}
      actions={
        may(requestSignatures) && (
          <Button icon="people" isDisabled={isSettled(budget) || isOpen} onPress={() => setAsking(true)}>
            {text.request}
          </Button>
        )
      }
    >
      {isPending && <Skeleton rows={2} label={text.reading} />}
      {error && <Problem title={textOfError(error, language)} />}
      {data?.items.length === 0 && <p className={styles.quiet}>{text.none}</p>}
      <div className={styles.cards}>
        {data?.items.map((request, at, { length }) => (
          <SignatureRequestCard key={request.id} request={request} number={length - at} />
        ))}
      </div>
      {isAsking && <RequestSignaturesDialog budget={budget} onClose={() => setAsking(false)} />}
    </Section>
  )
}
