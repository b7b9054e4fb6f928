import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { listConsentTexts, writeConsentText } from '#contract/billing/consent.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { CreateButton } from '../../parts/create-button.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { consentTexts } from './consent.words.ts'
import { type ConsentText, currentKeys, keyOf, languageName } from './consent-version.ts'

const ConsentSheet = late(() => import('./consent-sheet.tsx').then(sheet => sheet.ConsentSheet))
const WriteConsentDialog = late(() =>
  import('./write-consent-dialog.tsx').then(dialog => dialog.WriteConsentDialog),
)

/** The versions of the text that people agree to when they allow charges (AUTH-13, AUTH-14). */
export function Consent() {
  const text = useWords(consentTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { open } = useSearch({ from: '/o/$organization/settings/consent' })
  const [isWriting, setWriting] = useState(false)
  const texts = useList(listConsentTexts)
  const mayWrite = may(writeConsentText)
  const write = () => setWriting(true)
  const show = (key: string | undefined) =>
    void navigate({ to: '.', search: key === undefined ? {} : { open: key }, replace: true })
  const current = useMemo(() => currentKeys(texts.items), [texts.items])
  const columns = useColumns(current)
  const index = texts.items.findIndex(item => keyOf(item) === open)
  useCreateAction('write-consent', text.write, text.title, mayWrite && write)
  const writeButton = mayWrite && (
    <CreateButton dialog={WriteConsentDialog} onPress={write}>
      {text.write}
    </CreateButton>
  )
  return (
    <Page title={text.title} width="full" actions={writeButton}>
      <WithSheet
        sheet={
          open !== undefined && (
            <ConsentSheet
              key={open}
              consent={texts.items[index]}
              isCurrent={current.has(open)}
              isLoading={texts.isLoading}
              onClose={() => show(undefined)}
              {...neighboursOf(texts.items, index, item => show(keyOf(item)))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={texts}
          rowKey={keyOf}
          rowLabel={({ locale, version }) => text.versionOf(locale, version)}
          onOpen={item => show(keyOf(item))}
          current={open}
          empty={<Empty title={text.none}>{text.noneAbout}</Empty>}
        />
      </WithSheet>
      {isWriting && (
        <WriteConsentDialog
          texts={texts.items.filter(item => current.has(keyOf(item)))}
          onClose={() => setWriting(false)}
        />
      )}
    </Page>
  )
}

function useColumns(current: ReadonlySet<string>): Column<ConsentText>[] {
  const text = useWords(consentTexts)
  const language = useLanguage()
  return useMemo(
    () => [
      {
        id: 'locale',
        title: text.locale,
        width: 'minmax(200px, 2fr)',
        cell: ({ locale, version }) => text.versionOf(languageName(locale, language), version),
      },
      {
        id: 'state',
        title: text.state,
        width: 'minmax(120px, 1fr)',
        phone: 'below',
        cell: item =>
          current.has(keyOf(item)) ? (
            <Status icon="done" kind="done">
              {text.current}
            </Status>
          ) : (
            <Status icon="clock" kind="quiet">
              {text.former}
            </Status>
          ),
      },
      {
        id: 'since',
        title: text.since,
        width: '112px',
        align: 'end',
        phone: 'end',
        cell: ({ createdAt }) => createdAt && <Time value={createdAt} form="date" />,
      },
    ],
    [text, language, current],
  )
}
