import { useEffect, useRef } from 'react'
import { checkEntry } from '#contract/marketplace/entries.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useAssetHref } from '../asset-href.ts'
import { placeFindings } from '../release/finding.rules.ts'
import { FindingList } from '../release/findings.tsx'
import { submissionTexts } from './submission.words.ts'
import styles from './submissions.module.css'

/** Runs the checks of an asset once when the form opens, and again when the person asks: 60 an hour are allowed. */
export function useChecks(assetId: string) {
  const { mutate, data, error, isPending } = useAction(checkEntry, { refreshes: [] })
  const checked = useRef<string>(undefined)
  useEffect(() => {
    if (checked.current === assetId) return
    checked.current = assetId
    mutate({ body: { assetId } })
  }, [assetId, mutate])
  return { data, error, isPending, run: () => mutate({ body: { assetId } }) }
}

/** The findings of the checks in an asset, as a linter lists them: place, meaning, advice. */
export function AssetChecks({ assetId, checks }: { assetId: string; checks: ReturnType<typeof useChecks> }) {
  const text = useWords(submissionTexts)
  const language = useLanguage()
  const assetHref = useAssetHref()(assetId)
  const { data, error, isPending, run } = checks
  return (
    <section className={styles.checks} aria-label={text.checks}>
      <header className={styles.checksHead}>
        <h2 className={styles.title}>{text.checks}</h2>
        {assetHref && (
          <ButtonLink kind="quiet" size="small" href={assetHref}>
            {text.openAsset}
          </ButtonLink>
        )}
        <Button size="small" icon="retry" isBusy={isPending} onPress={run}>
          {text.checkAgain}
        </Button>
      </header>
      {error ? (
        <Notice kind="danger">{textOfError(error, language)}</Notice>
      ) : !data ? (
        <Skeleton rows={2} label={text.checking} />
      ) : (
        <>
          <p className={styles.quiet}>{text.checked(data.version)}</p>
          {data.findings.length === 0 ? (
            <Notice kind="done">{text.clean}</Notice>
          ) : (
            <>
              <Notice kind={data.isSubmittable ? 'warn' : 'danger'}>
                {data.isSubmittable ? text.advised : text.refused}
              </Notice>
              <FindingList findings={placeFindings(data.findings)} hasAdvice />
            </>
          )}
        </>
      )}
    </section>
  )
}
