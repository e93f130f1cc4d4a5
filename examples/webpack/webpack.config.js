import { EsbuildPlugin } from 'esbuild-loader'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import webpack from 'webpack'

export default {
  entry: './src/main.tsx',
  output: { clean: true, publicPath: '/' },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: { rules: [{ test: /\.tsx?$/, loader: 'esbuild-loader', options: { target: 'es2022', jsx: 'automatic' } }] },
  plugins: [
    new HtmlWebpackPlugin({ template: 'src/index.html' }),
    new webpack.EnvironmentPlugin({ AUTH_URL: '', RPC_URL: '' }),
  ],
  optimization: { minimizer: [new EsbuildPlugin({ target: 'es2022' })] },
  // The client of the relay, which loads when a phone's wallet is chosen, has 430 kB before compression.
  performance: { maxEntrypointSize: 400_000, maxAssetSize: 450_000 },
  devServer: { client: { overlay: false } },
}
