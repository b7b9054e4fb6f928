import type { verifyAudit } from '#contract/identity/audit-log.ts'
import { identityLimits } from '#contract/identity/limits.ts'
import type { Reply } from '#contract/route.ts'
import { textOfError } from '../../data/errors.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { countText } from '../../parts/number-text.ts'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './audit.module.css'
import { auditTexts } from './audit.words.ts'

/** The result of a check of the chain: whole, or where it is broken (AUD-5), and how often it can be checked. */
export function ChainResult({
  result,
  error,
  onClose,
}: {
  result: Reply<typeof verifyAudit> | undefined
  error: unknown
  onClose: () => void
}) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  // the log has no cap
  const numberText = (count: number) => countText(count, language, Number.POSITIVE_INFINITY)
  return (
    <Dialog
      title={text.checkTitle}
      size="small"
      isOpen={result !== undefined || error !== null}
      onClose={onClose}
    >
      {error !== null && <Notice kind="danger">{textOfError(error, language)}</Notice>}
      {result?.valid === true && <Notice kind="done">{text.whole(numberText(result.checked))}</Notice>}
      {result?.valid === false && (
        <Notice kind="danger">{text.broken(numberText(result.brokenAt ?? result.checked))}</Notice>
      )}
      <p className={styles.quiet}>{text.limit(identityLimits.auditVerificationsPerHour)}</p>
      <Actions>
        <Button onPress={onClose} autoFocus>
          {text.close}
        </Button>
      </Actions>
    </Dialog>
  )
}
