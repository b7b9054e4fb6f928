import { listText } from '../../words/formatters.ts'
import { plural, words } from '../../words/words.ts'

/** Three names at most; the rest as a number. */
function listOf(
  language: 'es' | 'en',
  first: string,
  names: readonly string[],
  others: (n: number) => string,
) {
  const shown = names.length > 3 ? [...names.slice(0, 2), others(names.length - 2)] : names
  return listText([first, ...shown], language)
}

export const composerTexts = words({
  es: {
    write: (where: string) => `Escribe en ${where}`,
    writeReply: 'Responde en el hilo',
    send: 'Enviar',
    attach: 'Adjuntar archivos',
    mention: 'Mencionar a alguien',
    mentions: 'Personas y aplicaciones',
    visibility: 'Quién lo verá',
    VISIBLE: 'Visible para',
    INTERNAL: 'Interno,',
    PRIVATE: 'Privado,',
    visibleEntry: 'Visible',
    internalEntry: 'Interno',
    privateEntry: 'Privado',
    everybody: (count: number, applications: readonly string[]) =>
      listOf(
        'es',
        plural('es', count, '1 persona', `${count} personas`),
        applications,
        n => `${n} aplicaciones más`,
      ),
    noApplication: (count: number) =>
      plural('es', count, '1 persona, ninguna aplicación', `${count} personas, ninguna aplicación`),
    onlyYou: 'solo tú',
    onlyYouAnd: (names: readonly string[]) => listOf('es', 'solo tú', names, n => `${n} más`),
    privateHint: 'Solo tú y quienes elijas',
    readers: 'Quién más lo leerá',
    addReader: 'Añadir a alguien',
    removeReader: (name: string) => `Quitar a ${name}`,
    uploading: (name: string) => `Subiendo ${name}`,
    removeFile: (name: string) => `Quitar ${name}`,
    tooMany: (count: number) => `Un mensaje lleva hasta ${count} archivos.`,
    dropHere: 'Suelta los archivos para adjuntarlos',
    archived: 'El canal está archivado: no se puede escribir en él.',
    tooLong: (count: number) => plural('es', count, 'Sobra 1 carácter', `Sobran ${count} caracteres`),
    fromElsewhere: 'Borrador de otro dispositivo: comprueba quién lo verá.',
    focusField: 'Escribir un mensaje',
    cycle: 'Cambiar quién lo verá',
    editLast: 'Editar tu último mensaje',
  },
  en: {
    write: (where: string) => `Write in ${where}`,
    writeReply: 'Reply in the thread',
    send: 'Send',
    attach: 'Attach files',
    mention: 'Mention somebody',
    mentions: 'People and applications',
    visibility: 'Who will see it',
    VISIBLE: 'Visible to',
    INTERNAL: 'Internal,',
    PRIVATE: 'Private,',
    visibleEntry: 'Visible',
    internalEntry: 'Internal',
    privateEntry: 'Private',
    everybody: (count: number, applications: readonly string[]) =>
      listOf(
        'en',
        plural('en', count, '1 person', `${count} people`),
        applications,
        n => `${n} more applications`,
      ),
    noApplication: (count: number) =>
      plural('en', count, '1 person, no application', `${count} people, no application`),
    onlyYou: 'only you',
    onlyYouAnd: (names: readonly string[]) => listOf('en', 'only you', names, n => `${n} more`),
    privateHint: 'Only you and whom you choose',
    readers: 'Who else will read it',
    addReader: 'Add somebody',
    removeReader: (name: string) => `Remove ${name}`,
    uploading: (name: string) => `Uploading ${name}`,
    removeFile: (name: string) => `Remove ${name}`,
    tooMany: (count: number) => `A message takes up to ${count} files.`,
    dropHere: 'Drop the files to attach them',
    archived: 'The channel is archived: nobody can write in it.',
    tooLong: (count: number) => plural('en', count, '1 character too many', `${count} characters too many`),
    fromElsewhere: 'A draft from another device: check who will see it.',
    focusField: 'Write a message',
    cycle: 'Change who will see it',
    editLast: 'Edit your last message',
  },
})
