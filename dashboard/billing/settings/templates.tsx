import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createInvoiceTemplate, listInvoiceTemplates } from '#contract/billing/templates.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Problem } from '../../parts/states.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import type { Template } from './template.ts'
import { templateTexts } from './templates.words.ts'

const NewTemplateSheet = late(() => import('./template-sheet.tsx').then(sheet => sheet.NewTemplateSheet))
const TemplateSheet = late(() => import('./template-sheet.tsx').then(sheet => sheet.TemplateSheet))

/** The texts of the e-mails that carry invoices (SND-14). */
export function Templates() {
  const text = useWords(templateTexts)
  const actionText = useWords(actionTexts)
  const language = useLanguage()
  const may = useMay()
  const navigate = useNavigate()
  const { open } = useSearch({ from: '/o/$organization/settings/templates' })
  const { data, error, isPending, refetch } = useRead(listInvoiceTemplates)
  const items = data?.items ?? []
  const mayCreate = may(createInvoiceTemplate)
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: id === undefined ? {} : { open: id }, replace: true })
  const create = () => show('new')
  const columns = useMemo(() => columnsOf(text), [text])
  useCreateAction('create-template', actionText['create-template'], text.title, mayCreate && create)
  const index = items.findIndex(({ id }) => id === open)
  const createButton = mayCreate && (
    <Button kind={open === undefined ? 'primary' : 'secondary'} icon="plus" shortcut="c" onPress={create}>
      {actionText['create-template']}
    </Button>
  )
  return (
    <Page title={text.title} width="full" actions={createButton}>
      <WithSheet
        sheet={
          open === 'new' ? (
            <NewTemplateSheet onClose={() => show(undefined)} onCreated={({ id }) => show(id)} />
          ) : (
            open !== undefined && (
              <TemplateSheet
                key={open}
                templateId={open}
                onClose={() => show(undefined)}
                {...neighboursOf(items, index, ({ id }) => show(id))}
              />
            )
          )
        }
      >
        <Grid
          label={text.title}
          columns={columns}
          rows={items}
          isLoading={isPending}
          error={
            error && (
              <Problem
                title={textOfError(error, language)}
                action={<Button onPress={() => void refetch()}>{text.again}</Button>}
              />
            )
          }
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          onOpen={({ id }) => show(id)}
          current={open}
          empty={
            <Empty
              title={text.none}
              action={mayCreate && <Button onPress={create}>{actionText['create-template']}</Button>}
            >
              {text.noneAbout}
            </Empty>
          }
        />
      </WithSheet>
    </Page>
  )
}

function columnsOf(text: Record<'name' | 'subject' | 'isDefault' | 'updated', string>): Column<Template>[] {
  return [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(180px, 2fr)',
      cell: ({ name, isDefault }) => (
        <>
          {name} {isDefault && <Tag kind="done">{text.isDefault}</Tag>}
        </>
      ),
    },
    {
      id: 'subject',
      title: text.subject,
      width: 'minmax(180px, 3fr)',
      phone: 'below',
      cell: ({ subject }) => <span className={styles.quiet}>{subject}</span>,
    },
    {
      id: 'updated',
      title: text.updated,
      width: '112px',
      align: 'end',
      phone: 'end',
      cell: ({ updatedAt }) => <Time value={updatedAt} form="date" />,
    },
  ]
}
