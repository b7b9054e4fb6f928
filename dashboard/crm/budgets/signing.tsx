import { useState } from 'react'
import type { Budget } from '#contract/crm/budgets.ts'
import { importSignature, listSignatures } from '#contract/crm/signatures.ts'
import { issueSigningLink, listSigningLinks } from '#contract/crm/signing-links.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Section } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { BudgetSealSection } from './budget-seal.tsx'
import { ChainCheck } from './chain-check.tsx'
import { SignatureCard } from './signature-card.tsx'
import { requestTexts } from './signature-request.words.ts'
import { SignatureRequests, useHasOpenRequest } from './signature-requests.tsx'
import styles from './signing.module.css'
import { signingTexts } from './signing.words.ts'
import { SigningLinkCard } from './signing-link-card.tsx'
import { isSettled } from './use-budget-actions.ts'

const IssueLinkDialog = late(() => import('./issue-link-dialog.tsx').then(dialog => dialog.IssueLinkDialog))
const ImportSignatureDialog = late(() =>
  import('./import-signature-dialog.tsx').then(dialog => dialog.ImportSignatureDialog),
)

/** The signing of a budget: its links, and its signatures with their verification. */
export function Signing({ budget }: { budget: Budget }) {
  const text = useWords(signingTexts)
  const requests = useWords(requestTexts)
  const language = useLanguage()
  const may = useMay()
  const [open, setOpen] = useState<'issue' | 'import'>()
  const links = useRead(listSigningLinks, { params: { id: budget.id } })
  const signatures = useRead(listSignatures, { params: { budgetId: budget.id } })
  const settled = isSettled(budget)
  const isRequested = useHasOpenRequest(budget.id)
  const ownLinks = links.data?.items.filter(link => link.signatureRequestId === undefined)
  return (
    <div className={styles.signing}>
      <Section
        title={text.links}
        about={settled ? text.issueSettled : isRequested ? requests.aboutOpen : text.linksAbout}
        actions={
          may(issueSigningLink) && (
            <Button icon="link" isDisabled={settled || isRequested} onPress={() => setOpen('issue')}>
              {text.issue}
            </Button>
          )
        }
      >
        {links.isPending && <Skeleton rows={3} label={text.reading} />}
        {links.error && <Problem title={textOfError(links.error, language)} />}
        {links.data?.items.length === 0 && <p className={styles.quiet}>{text.noLinks}</p>}
        <div className={styles.cards}>
          {ownLinks?.map((link, at, { length }) => (
            <SigningLinkCard key={link.id} link={link} number={length - at} />
          ))}
        </div>
      </Section>
      <SignatureRequests budget={budget} />
      <Section
        title={text.signatures}
        about={text.signaturesAbout}
        actions={
          <>
            <ChainCheck />
            {may(importSignature) && !settled && !isRequested && (
              <Button kind="quiet" onPress={() => setOpen('import')}>
                {text.import}
              </Button>
            )}
          </>
        }
      >
        {signatures.isPending && <Skeleton rows={3} label={text.reading} />}
        {signatures.error && <Problem title={textOfError(signatures.error, language)} />}
        {signatures.data?.items.length === 0 && <p className={styles.quiet}>{text.noSignatures}</p>}
        <div className={styles.cards}>
          {signatures.data?.items.map((signature, at, { length }) => (
            <SignatureCard key={signature.id} budget={budget} signature={signature} number={length - at} />
          ))}
        </div>
      </Section>
      {budget.status === 'SIGNED' && <BudgetSealSection budget={budget} />}
      {open === 'issue' && <IssueLinkDialog budget={budget} onClose={() => setOpen(undefined)} />}
      {open === 'import' && <ImportSignatureDialog budget={budget} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
