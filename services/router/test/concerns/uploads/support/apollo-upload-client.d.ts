/** The part of apollo-upload-client that the tests use; the package declares its types in comments. */
declare module 'apollo-upload-client/UploadHttpLink.mjs' {
  import { ApolloLink } from '@apollo/client/link'

  export default class UploadHttpLink extends ApolloLink {
    constructor(options: { readonly uri: string; readonly headers: Readonly<Record<string, string>> })
  }
}
