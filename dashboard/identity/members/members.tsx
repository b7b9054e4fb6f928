import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { inviteMany } from '#contract/identity/invitations.ts'
import { listMembers, updateMember } from '#contract/identity/organization.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { Person } from '../../parts/person.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Time } from '../../parts/time.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { useRoles } from '../use-roles.ts'
import type { Member } from './member.ts'
import { memberTexts } from './members.words.ts'

const InviteDialog = late(() =>
  import('../invitations/invite-dialog.tsx').then(dialog => dialog.InviteDialog),
)
const ChangeRoleDialog = late(() =>
  import('./change-role-dialog.tsx').then(dialog => dialog.ChangeRoleDialog),
)
const MemberSheet = late(() => import('./member-sheet.tsx').then(sheet => sheet.MemberSheet))
const RemoveMemberDialog = late(() =>
  import('./remove-member-dialog.tsx').then(dialog => dialog.RemoveMemberDialog),
)

const memberRoles = ['OWNER', 'ADMIN', 'MEMBER', 'CUSTOM'] as const
type MemberSearch = { search?: string; role?: (typeof memberRoles)[number]; open?: string }
type Change = { [Key in keyof MemberSearch]: MemberSearch[Key] | undefined }
type Open = { kind: 'none' } | { kind: 'invite' } | { kind: 'role' | 'remove'; member: Member }

/** The people of the organization, with their roles. */
export function Members() {
  const text = useWords(memberTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { caller } = useOrganization()
  const { search, role, open: openId } = useSearch({ from: '/o/$organization/settings/members' })
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const members = useList(listMembers, {
    query: { ...(search && { search }), ...(role && { role }) },
  })
  const { nameOf } = useRoles()
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const invite = () => setOpen({ kind: 'invite' })
  useCreateAction('invite', actionText.invite, text.title, may(inviteMany) && invite)
  const index = members.items.findIndex(({ personId }) => personId === openId)
  const columns = useMemo(() => columnsOf(text, nameOf, caller.person.id), [text, nameOf, caller.person.id])
  function menuOf(member: Member): MenuEntry[] {
    const isOwn = member.personId === caller.person.id
    const entries: (MenuEntry | false)[] = [
      may(updateMember) && {
        id: 'role',
        label: text.changeRole,
        icon: 'edit',
        onAction: () => setOpen({ kind: 'role', member }),
      },
      (isOwn || may(updateMember)) && {
        id: 'remove',
        label: isOwn ? text.leave : text.remove,
        icon: 'signOut',
        isDangerous: true,
        onAction: () => setOpen({ kind: 'remove', member }),
      },
    ]
    return entries.filter(entry => entry !== false)
  }

  return (
    <Page
      title={text.title}
      width="full"
      actions={
        may(inviteMany) && (
          <CreateButton dialog={InviteDialog} onPress={invite}>
            {actionText.invite}
          </CreateButton>
        )
      }
      below={
        <MemberFilters search={search} role={role} total={members.total} nameOf={nameOf} onChange={change} />
      }
    >
      <WithSheet
        sheet={
          openId !== undefined && (
            <MemberSheet
              key={openId}
              personId={openId}
              member={members.items[index]}
              nameOf={nameOf}
              menuOf={menuOf}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(members.items, index, ({ personId }) => change({ open: personId }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={members}
          rowKey={({ personId }) => personId}
          rowLabel={({ name }) => name}
          rowMenu={menuOf}
          onOpen={({ personId }) => change({ open: personId })}
          current={openId}
          empty={
            // every organization has members: only filters leave none
            <EmptyList
              isFiltered
              title={text.nobody}
              nothingFits={text.nobody}
              onClear={() => change({ search: undefined, role: undefined })}
            />
          }
        />
      </WithSheet>
      {open.kind === 'invite' && <InviteDialog onClose={close} />}
      {open.kind === 'role' && <ChangeRoleDialog member={open.member} onClose={close} />}
      {open.kind === 'remove' && <RemoveMemberDialog member={open.member} onClose={close} />}
    </Page>
  )
}

/** The search and the filter of the list by role, and how many members it has. */
function MemberFilters({
  search,
  role,
  total,
  nameOf,
  onChange,
}: Pick<MemberSearch, 'search' | 'role'> & {
  total: number | undefined
  nameOf: ReturnType<typeof useRoles>['nameOf']
  onChange: (changed: Change) => void
}) {
  const text = useWords(memberTexts)
  return (
    <FilterBar
      fields={[
        {
          id: 'role',
          label: text.roleFilter,
          values: memberRoles.map(value => ({ value, label: nameOf({ role: value }) })),
        },
      ]}
      filters={role ? { role } : {}}
      end={total !== undefined && <Total count={total} label={text.total(total)} />}
      onChange={filters => onChange({ role: memberRoles.find(value => value === filters.role) })}
      start={
        <SearchField
          label={text.search}
          value={search ?? ''}
          onChange={value => onChange({ search: value || undefined })}
        />
      }
    />
  )
}

function columnsOf(
  text: { name: string; email: string; role: string; joined: string; you: string },
  nameOf: (member: Member) => string,
  ownId: string,
): Column<Member>[] {
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
    { id: 'role', title: text.role, width: '180px', phone: 'end', cell: nameOf },
    {
      id: 'joined',
      title: text.joined,
      width: '120px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ joinedAt }) => <Time value={joinedAt} form="date" />,
    },
  ]
}
