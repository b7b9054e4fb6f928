import { words } from '../../words/words.ts'

export const consentTexts = words({
  es: {
    title: 'Textos de consentimiento',
    write: 'Nueva versión…',
    locale: 'Idioma',
    text: 'Texto',
    since: 'Desde',
    digest: 'Huella SHA-256',
    current: 'Vigente',
    former: 'Anterior',
    state: 'Estado',
    none: 'Ningún texto propio todavía',
    noneAbout:
      'Mientras tanto vale el texto que trae el servidor, en español y en inglés. Aparece aquí cuando alguien lo acepta.',
    // it begins a line, and Spanish writes languages small
    versionOf: (locale: string, version: number) =>
      `${locale.slice(0, 1).toUpperCase()}${locale.slice(1)}, versión ${version}`,
    reading: 'Leyendo',
    notListed: 'Esta versión no está en la lista.',
    currentAbout: 'Es la que se muestra a quien autoriza ahora.',
    formerAbout: 'Quien la aceptó sigue vinculado a ella.',
    writeTitle: 'Nueva versión del consentimiento',
    localeHint: 'Por ejemplo es, en o es-MX.',
    mustSay:
      'Tiene que decir que se permiten los cobros, cada cuánto, cómo se calcula el importe y cómo se cancela.',
    next: 'Revisar y publicar…',
    question: (locale: string) => `¿Publicar el texto nuevo en ${locale}?`,
    questionAbout:
      'Desde ahora se muestra a quien autorice. No se puede cambiar ni borrar; solo sustituirlo por otra versión. Quien aceptó una anterior sigue vinculado a aquella.',
    publish: (locale: string) => `Publicar en ${locale}`,
    published: (locale: string, version: number) => `La versión ${version} en ${locale} está publicada.`,
  },
  en: {
    title: 'Consent texts',
    write: 'New version…',
    locale: 'Language',
    text: 'Text',
    since: 'Since',
    digest: 'SHA-256',
    current: 'Current',
    former: 'Former',
    state: 'State',
    none: 'No texts of your own yet',
    noneAbout:
      'Until then, the text of the server is valid, in Spanish and English. It appears here once somebody agrees to it.',
    versionOf: (locale: string, version: number) => `${locale}, version ${version}`,
    reading: 'Reading',
    notListed: 'This version is not in the list.',
    currentAbout: 'People who authorize charges now see it.',
    formerAbout: 'People who agreed to it are still bound to it.',
    writeTitle: 'New version of the consent text',
    localeHint: 'For example es, en or es-MX.',
    mustSay:
      'It must say that charges are allowed, how often, how the amount is determined, and how to cancel.',
    next: 'Check and publish…',
    question: (locale: string) => `Publish the new text in ${locale}?`,
    questionAbout:
      'From now on, people who authorize charges see it. It cannot be changed or deleted, only replaced by another version. People who agreed to an earlier one stay bound to that.',
    publish: (locale: string) => `Publish in ${locale}`,
    published: (locale: string, version: number) => `Version ${version} in ${locale} is published.`,
  },
})
