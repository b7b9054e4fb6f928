import { useQuery } from '@tanstack/react-query'
import { type Provenance, readProvenanceKey } from '#contract/marketplace/provenance.ts'
import { useAccountRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { downloadText } from '../../parts/download.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import { Publisher } from '../entries/entry-columns.tsx'
import { installTexts } from './install.words.ts'
import styles from './installs.module.css'
import { type Verdict, verdictOf } from './provenance.rules.ts'

const looks = {
  valid: { icon: 'done', kind: 'done' },
  changed: { icon: 'failed', kind: 'danger' },
  unknownKey: { icon: 'errors', kind: 'warn' },
  unchecked: { icon: 'info', kind: 'info' },
} as const satisfies Record<Verdict, object>

/** How a copy came into the library, link by link, with the signature of the server checked here in the browser. */
export function ProvenanceChain({
  install,
}: {
  install: { installId: string; installedVersion: string; createdAt: string; provenance: Provenance }
}) {
  const text = useWords(installTexts)
  const { provenance, installedVersion, createdAt } = install
  const { statement, keyId } = provenance
  return (
    <section className={styles.chain} aria-label={text.provenance}>
      <h3 className={styles.title}>{text.provenance}</h3>
      <p className={styles.quiet}>{text.provenanceAbout}</p>
      <Steps
        isVertical
        label={text.provenance}
        steps={[
          {
            id: 'published',
            title: text.published,
            state: 'done',
            about: (
              <>
                <Publisher {...statement.publisher} /> · <Time value={statement.submittedAt} form="moment" />
              </>
            ),
          },
          {
            id: 'approved',
            title: text.approved,
            state: 'done',
            about: <Time value={statement.approvedAt} form="moment" />,
          },
          {
            id: 'signed',
            title: text.signed,
            state: 'done',
            about: <SignatureVerdict provenance={provenance} />,
          },
          {
            id: 'installed',
            title: text.yours,
            state: 'done',
            about: (
              <>
                {installedVersion} · <Time value={createdAt} form="moment" />
              </>
            ),
          },
        ]}
      />
      <Facts
        facts={[
          { term: text.key, value: <Id value={keyId} isShortened /> },
          { term: text.releaseDigest, value: <Id value={statement.releaseDigest} isShortened /> },
        ]}
      />
      <span>
        <Button
          size="small"
          icon="download"
          onPress={() =>
            downloadText(
              `${JSON.stringify(install, null, 2)}\n`,
              `${statement.name}.json`,
              'application/json',
            )
          }
        >
          {text.download}
        </Button>
      </span>
    </section>
  )
}

function SignatureVerdict({ provenance }: { provenance: Provenance }) {
  const text = useWords(installTexts)
  const published = useAccountRead(readProvenanceKey)
  const keys = published.data?.keys
  const verdict = useQuery({
    queryKey: ['provenance', provenance.signature, keys],
    queryFn: () => verdictOf(provenance, keys ?? [], globalThis.crypto?.subtle),
    enabled: keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (published.error) return text.unchecked
  if (!verdict.data) return text.checking
  return <Status {...looks[verdict.data]}>{text[verdict.data]}</Status>
}
