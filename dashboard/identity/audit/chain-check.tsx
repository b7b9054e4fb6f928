import { verifyAudit } from '#contract/identity/audit-log.ts'
import { identityLimits } from '#contract/identity/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/states.tsx'
import { countText } from '../../parts/total.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './audit.module.css'
import { auditTexts } from './audit.words.ts'

/** Checks the chain of the whole log on the server, and shows whether it is whole (AUD-5). */
export function ChainCheck() {
  const text = useWords(auditTexts)
  const language = useLanguage()
  const check = useAction(verifyAudit, { refreshes: [] })
  const { data, error } = check
  return (
    <>
      <Button icon="operator" isBusy={check.isPending} onPress={() => check.mutate({})}>
        {text.check}
      </Button>
      <Dialog
        title={text.checkTitle}
        size="small"
        isOpen={data !== undefined || error !== null}
        onClose={() => check.reset()}
      >
        {error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
        {data?.valid === true && (
          <Notice kind="done">{text.whole(countText(data.checked, Number.POSITIVE_INFINITY))}</Notice>
        )}
        {data?.valid === false && (
          <Notice kind="danger">
            {text.broken(data.brokenAt === null ? '?' : countText(data.brokenAt, Number.POSITIVE_INFINITY))}
          </Notice>
        )}
        <p className={styles.quiet}>{text.limit(identityLimits.auditVerificationsPerHour)}</p>
        <Actions>
          <Button onPress={() => check.reset()} autoFocus>
            {text.close}
          </Button>
        </Actions>
      </Dialog>
    </>
  )
}
