import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { createRole, deleteRole, listRoles, updateRole } from '#contract/identity/roles.ts'
import { builtInRoles, rolePermissions } from '#contract/permissions.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { WithSheet } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { roleTexts } from '../role.words.ts'
import { PermissionSheet } from './permission-sheet.tsx'
import { RemoveRoleDialog } from './remove-role-dialog.tsx'
import type { CustomRole, ShownRole } from './role.ts'
import { RoleDialog, type RoleDraft } from './role-dialog.tsx'
import { RoleList, RoleMatrix } from './role-matrix.tsx'
import { rolesTexts } from './roles.words.ts'

type Open = { kind: 'none' } | { kind: 'edit'; draft: RoleDraft } | { kind: 'remove'; role: CustomRole }

/** The built-in and the custom roles, and what each of them can do. */
export function Roles() {
  const text = useWords(rolesTexts)
  const actionText = useWords(actionTexts)
  const names = useWords(roleTexts)
  const language = useLanguage()
  const may = useMay()
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const { permission } = useSearch({ from: '/o/$organization/settings/roles' })
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const custom = useList(listRoles, { query: { limit: 100 } })
  const edit = (draft: RoleDraft) => setOpen({ kind: 'edit', draft })
  const close = () => setOpen({ kind: 'none' })
  const startNew = () => edit({ name: '', permissions: [] })
  const mayCreate = may(createRole)
  useCreateAction('create-role', actionText['create-role'], text.title, mayCreate && startNew)

  const roles: ShownRole[] = [
    ...builtInRoles.map(role => ({ key: role, name: names[role], permissions: rolePermissions[role] })),
    ...custom.items.map(role => ({
      key: role.id,
      name: role.name,
      permissions: role.permissions,
      custom: role,
    })),
  ]
  function menuOf({ name, permissions, custom: role }: ShownRole): readonly MenuEntry[] {
    const copy: MenuEntry = {
      id: 'copy',
      label: text.duplicate,
      icon: 'copy',
      onAction: () => edit({ name: text.copyOf(name), permissions }),
    }
    if (!role) return mayCreate ? [copy] : []
    return [
      ...(may(updateRole)
        ? [
            {
              id: 'edit',
              label: text.edit,
              icon: 'edit' as const,
              onAction: () => edit({ role, name, permissions }),
            },
          ]
        : []),
      ...(mayCreate ? [copy] : []),
      ...(may(deleteRole)
        ? [
            {
              id: 'remove',
              label: text.remove,
              icon: 'trash' as const,
              isDangerous: true,
              onAction: () => setOpen({ kind: 'remove', role }),
            },
          ]
        : []),
    ]
  }
  const sheet = permission && (
    <PermissionSheet
      key={permission}
      permission={permission}
      roles={roles}
      onClose={() => void navigate({ to: '.', search: {}, replace: true })}
    />
  )
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        mayCreate && (
          <Button kind="primary" icon="plus" shortcut="c" onPress={startNew}>
            {actionText['create-role']}
          </Button>
        )
      }
    >
      {custom.error && <Problem title={textOfError(custom.error, language)} />}
      {custom.isLoading && <Skeleton rows={12} label={text.reading} />}
      {!custom.isLoading && !custom.error && (
        <WithSheet sheet={sheet}>
          {isPhone ? (
            <RoleList roles={roles} menuOf={menuOf} />
          ) : (
            <RoleMatrix roles={roles} menuOf={menuOf} current={permission} />
          )}
        </WithSheet>
      )}
      {open.kind === 'edit' && <RoleDialog draft={open.draft} onClose={close} />}
      {open.kind === 'remove' && <RemoveRoleDialog role={open.role} onClose={close} />}
    </Page>
  )
}
