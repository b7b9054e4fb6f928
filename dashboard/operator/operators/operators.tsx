import { useMemo, useState } from 'react'
import { listOperators } from '#contract/identity/operator.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { CreateButton } from '../../parts/create-button.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { Page } from '../../parts/page.tsx'
import { Person } from '../../parts/person.tsx'
import { Empty } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import type { Operator } from './operator.ts'
import { operatorTexts } from './operators.words.ts'

const AddOperatorDialog = late(() =>
  import('./operator-dialogs.tsx').then(dialogs => dialogs.AddOperatorDialog),
)
const RemoveOperatorDialog = late(() =>
  import('./operator-dialogs.tsx').then(dialogs => dialogs.RemoveOperatorDialog),
)

/** The people who operate this server (OPR-10). */
export function Operators() {
  const text = useWords(operatorTexts)
  const actionText = useWords(actionTexts)
  const { caller } = useOrganization()
  const ownId = caller.person.id
  const [open, setOpen] = useState<'none' | 'add' | Operator>('none')
  const close = () => setOpen('none')
  const list = useList(listOperators)
  const add = () => setOpen('add')
  const columns = useMemo(() => columnsOf(text, ownId), [text, ownId])
  useCreateAction('add-operator', actionText['add-operator'], text.title, add)
  return (
    <Page
      title={text.title}
      width="full"
      beside={list.total !== undefined && <Total count={list.total} />}
      actions={
        <CreateButton dialog={AddOperatorDialog} onPress={add}>
          {actionText['add-operator']}
        </CreateButton>
      }
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={list}
        rowKey={({ personId }) => personId}
        rowLabel={({ name }) => name}
        rowMenu={operator => {
          const isOwn = operator.personId === ownId
          return [
            {
              id: 'remove',
              label: text.remove,
              icon: 'close',
              isDangerous: true,
              isDisabled: isOwn,
              ...(isOwn && { hint: text.notYourself }),
              onAction: () => setOpen(operator),
            },
          ]
        }}
        empty={<Empty title={text.empty} />}
      />
      {open === 'add' && <AddOperatorDialog onClose={close} />}
      {typeof open === 'object' && <RemoveOperatorDialog operator={open} onClose={close} />}
    </Page>
  )
}

type Texts = Readonly<Record<'name' | 'email' | 'since' | 'state' | 'active' | 'locked' | 'you', string>>

function columnsOf(text: Texts, ownId: string): Column<Operator>[] {
  return [
    {
      id: 'name',
      title: text.name,
      width: 'minmax(180px, 2fr)',
      cell: ({ name, personId }) => (
        <Person name={name} {...(personId === ownId && { about: `(${text.you})` })} />
      ),
    },
    {
      id: 'email',
      title: text.email,
      width: 'minmax(180px, 2fr)',
      phone: 'below',
      cell: ({ email }) => email,
    },
    {
      id: 'state',
      title: text.state,
      width: '170px',
      phone: 'end',
      cell: ({ lockedAt }) =>
        lockedAt === null ? (
          <Status icon="done" kind="done">
            {text.active}
          </Status>
        ) : (
          <Status icon="lock" kind="danger">
            {text.locked}
          </Status>
        ),
    },
    {
      id: 'since',
      title: text.since,
      width: '130px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ since }) => <Time value={since} form="date" />,
    },
  ]
}
