import { useState } from 'react'
import { useKnownHref } from '../../data/known-href.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { LocalTabs } from '../../parts/local-tabs.tsx'
import { useWords } from '../../words/words.ts'
import { curlLines, sdkLines } from './first-report.rules.ts'
import { firstReportTexts } from './first-report.words.ts'
import styles from './reporting.module.css'

/** Replaces the errors of an organization that has reported none: how the first one is reported. */
export function FirstReport({ application }: { application?: string | undefined }) {
  const text = useWords(firstReportTexts)
  const hrefOf = useKnownHref()
  const [tab, setTab] = useState('sdk')
  const applications = hrefOf('applications', application && `?open=${application}`)
  const { origin } = window.location
  return (
    <div className={styles.first}>
      <p className={styles.firstTitle}>{text.title}</p>
      <p className={styles.quiet}>{text.about}</p>
      <LocalTabs
        label={text.snippet}
        current={tab}
        onChange={setTab}
        tabs={[
          { id: 'sdk', title: text.sdk, content: <Code text={sdkLines(origin)} label={text.sdk} /> },
          { id: 'curl', title: text.curl, content: <Code text={curlLines(origin)} label={text.curl} /> },
        ]}
      />
      <p className={styles.quiet}>{text.key}</p>
      <div className={styles.firstActions}>
        {applications && <ButtonLink href={applications}>{text.applications}</ButtonLink>}
        <ButtonLink kind="quiet" href="/docs">
          {text.reference}
        </ButtonLink>
      </div>
    </div>
  )
}
