import { useState } from 'react'
import { Button, ButtonLink, IconButton } from '../parts/button.tsx'
import { Choice } from '../parts/choice.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox, TextField } from '../parts/field.tsx'
import { FormActions } from '../parts/form-actions.tsx'
import { Menu } from '../parts/menu.tsx'
import { showToast } from '../parts/toasts.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

const texts = words({
  es: {
    save: 'Guardar',
    cancel: 'Cancelar',
    remove: 'Quitar',
    open: 'Abrir diálogo…',
    name: 'Nombre',
    hint: 'Como en el contrato',
    role: 'Rol',
    admin: 'Administra',
    member: 'Miembro',
    more: 'Más',
    saved: 'Guardado',
    undo: 'Deshacer',
    removeWho: '¿Quitar a Mei Lin de Acme Studio?',
    removeText: 'Pierde el acceso ahora mismo. Lo que escribió se queda.',
    notes: 'Notas',
    longAction:
      'Quitar la Compañía Internacional de Transportes Ferroviarios y Marítimos del Mediterráneo, S.A.',
    agree: 'Avisar por correo',
    disabled: 'No disponible',
    failed: 'No se pudo guardar',
  },
  en: {
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Remove',
    open: 'Open dialog…',
    name: 'Name',
    hint: 'As in the contract',
    role: 'Role',
    admin: 'Administrator',
    member: 'Member',
    more: 'More',
    saved: 'Saved',
    undo: 'Undo',
    removeWho: 'Remove Mei Lin from Acme Studio?',
    removeText: 'She loses access at once. Everything she wrote stays.',
    notes: 'Notes',
    longAction:
      'Remove the International Company of Railway and Maritime Transport of the Mediterranean, Ltd.',
    agree: 'Send a mail',
    disabled: 'Not available',
    failed: 'It could not be saved',
  },
})

function Buttons() {
  const text = useWords(texts)
  return (
    <>
      <State title="Kinds">
        <Button kind="primary" shortcut="c">
          {text.save}
        </Button>
        <Button icon="plus">{text.save}</Button>
        <Button kind="quiet">{text.cancel}</Button>
        <Button kind="danger" icon="trash">
          {text.remove}
        </Button>
        <ButtonLink href="#button" icon="link">
          {text.open}
        </ButtonLink>
      </State>
      <State title="Sizes, busy, disabled">
        <Button size="small">{text.save}</Button>
        <Button size="large" kind="primary">
          {text.save}
        </Button>
        <Button isBusy kind="primary">
          {text.save}
        </Button>
        <Button isDisabled>{text.disabled}</Button>
        <IconButton icon="more" label={text.more} />
        <IconButton icon="close" label={text.cancel} size="small" shortcut="escape" />
      </State>
    </>
  )
}

function Overlays() {
  const text = useWords(texts)
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'name' | 'reason'>()
  const close = () => setOpen(undefined)
  return (
    <State title="Dialog, Confirm, Menu, Toast">
      <Button onPress={() => setOpen('dialog')}>{text.open}</Button>
      <Button onPress={() => setOpen('confirm')}>{`${text.remove}…`}</Button>
      <Button onPress={() => setOpen('name')}>{`${text.remove} (2)…`}</Button>
      <Button onPress={() => setOpen('reason')}>{`${text.remove} (3)…`}</Button>
      <Menu
        label={text.more}
        trigger={<Button icon="more">{text.more}</Button>}
        groups={[
          {
            id: 'first',
            entries: [
              { id: 'save', label: text.save, shortcut: 's', icon: 'check', hint: text.hint },
              { id: 'off', label: text.disabled, isDisabled: true },
            ],
          },
          { id: 'second', entries: [{ id: 'remove', label: text.remove, icon: 'trash', isDangerous: true }] },
        ]}
      />
      <Button
        onPress={() => showToast({ text: text.saved, action: { label: text.undo, onPress: () => {} } })}
      >
        {text.saved}
      </Button>
      <Button onPress={() => showToast({ kind: 'failed', text: text.failed })}>{text.failed}</Button>
      <Dialog title={text.open} isOpen={open === 'dialog'} onClose={close}>
        <TextField label={text.name} defaultValue="Acme Studio" />
        <TextField label={text.notes} rows={2} />
        <FormActions onLeave={close} action={text.save} onAction={close} />
      </Dialog>
      <Confirm
        title={text.removeWho}
        action={text.remove}
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        isDangerous
      >
        {text.removeText}
      </Confirm>
      <Confirm
        title={text.removeWho}
        action={text.remove}
        isOpen={open === 'name'}
        onClose={close}
        onConfirm={close}
        isDangerous
        nameToType="Mei Lin"
      />
      <Confirm
        title={text.removeWho}
        action={text.longAction}
        isOpen={open === 'reason'}
        onClose={close}
        onConfirm={close}
        isDangerous
        asksReason={{ maxLength: 200 }}
      />
    </State>
  )
}

function Fields() {
  const text = useWords(texts)
  return (
    <State title="Text, choice, checkbox">
      <div className={styles.column}>
        <TextField label={text.name} hint={text.hint} defaultValue="Acme Studio" />
        <TextField label={`${text.name} 2`} isInvalid defaultValue="–" />
        <TextField label={text.notes} rows={3} />
        <TextField label={text.disabled} isDisabled defaultValue="Acme" />
        <Choice
          label={text.role}
          options={[
            { value: 'ADMIN', label: text.admin, hint: text.hint },
            { value: 'MEMBER', label: text.member },
          ]}
          defaultValue="ADMIN"
        />
        <Checkbox hint={text.hint} defaultSelected>
          {text.agree}
        </Checkbox>
        <Checkbox isIndeterminate>{text.agree}</Checkbox>
        <Checkbox isDisabled>{text.disabled}</Checkbox>
      </div>
    </State>
  )
}

function FormEnds() {
  const text = useWords(texts)
  const leave = () => showToast({ text: text.cancel })
  const act = () => showToast({ text: text.saved })
  return (
    <State title="A step, one that destroys, busy, disabled, nothing left to do">
      <div className={styles.column}>
        <FormActions onLeave={leave} action={text.save} onAction={act} />
        <FormActions onLeave={leave} action={text.remove} onAction={act} kind="danger" icon="trash" />
        <FormActions onLeave={leave} action={text.save} onAction={act} isBusy />
        <FormActions onLeave={leave} action={text.disabled} onAction={act} isDisabled />
        <FormActions onLeave={leave} action={text.save} onAction={act} isDone />
        <FormActions onLeave={leave} />
      </div>
    </State>
  )
}

export const controlChapters: readonly Chapter[] = [
  { id: 'button', title: 'Button', Content: Buttons },
  { id: 'overlays', title: 'Dialog, Confirm, Menu, Toasts', Content: Overlays },
  { id: 'form-actions', title: 'FormActions', Content: FormEnds },
  { id: 'fields', title: 'TextField, Choice, Checkbox', Content: Fields },
]
